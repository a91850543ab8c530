/**
 * Documents on Redis: {@link RedisDocumentStore}, and {@link BucketMove} between two Redis. Every write is one call of a
 * Redis function; {@code shared.lua} describes the stored layout. For those who open a store; everything else is
 * package-private.
 */
@NullMarked
package io.millrace.documents.redis;

import org.jspecify.annotations.NullMarked;
