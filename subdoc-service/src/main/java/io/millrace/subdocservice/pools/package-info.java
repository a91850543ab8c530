/**
 * The HTTP requests that Couchbase SDKs send when they connect; paths and members are those of its cluster manager. Depends
 * on {@code cluster} and {@code users}; nothing depends on it.
 */
@NullMarked
package io.millrace.subdocservice.pools;

import org.jspecify.annotations.NullMarked;
