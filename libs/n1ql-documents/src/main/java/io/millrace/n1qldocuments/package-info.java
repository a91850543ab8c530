/**
 * A document store as the keyspaces of the query engine.
 *
 * <p>Services and workers may depend on this package; it depends on documents and n1ql.
 */
@NullMarked
package io.millrace.n1qldocuments;

import org.jspecify.annotations.NullMarked;
