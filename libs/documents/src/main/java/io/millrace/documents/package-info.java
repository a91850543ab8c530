/**
 * Documents in keyspaces on Redis: compare-and-set, expiry, extended attributes, tombstones, and a change feed.
 *
 * <p>One engine for everything that Millrace stores: a hash with an etag, changed by one Redis function with
 * compare-and-set and a transaction id, that moves one entry in one by_seq index and notifies readers once. Services and the
 * worker depend on this package; it depends on Lettuce and on no framework.
 */
@NullMarked
package io.millrace.documents;

import org.jspecify.annotations.NullMarked;
