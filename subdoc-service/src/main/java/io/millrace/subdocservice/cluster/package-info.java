/**
 * The cluster configuration that Couchbase SDKs bootstrap from. {@code kv} and {@code pools} depend on it; it depends on
 * {@code documents} only.
 */
@NullMarked
package io.millrace.subdocservice.cluster;

import org.jspecify.annotations.NullMarked;
