/**
 * Event streams: categories of streams, a tip with unfolds, batches, sync with compare-and-set, access strategies, caching
 * and deciders (Equinox's model), on the engine of documents.
 *
 * <p>Services and users' own programs may depend on this package; it depends on documents and on no framework.
 */
@NullMarked
package io.millrace.streams;

import org.jspecify.annotations.NullMarked;
