/**
 * Configuration entries with revs, histories and watches, over HTTP and for the other packages: event streams in the system
 * bucket, and a mirror of them in memory. {@code cluster} depends on {@link io.millrace.metakvservice.entries.Entries} and
 * the mirror, {@code streams} on the creation of buckets.
 */
@NullMarked
package io.millrace.metakvservice.entries;

import org.jspecify.annotations.NullMarked;
