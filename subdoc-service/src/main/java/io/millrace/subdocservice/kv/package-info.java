/**
 * The endpoint of the memcached binary protocol: the server, its connections and their settings. Depends on {@code
 * kv.command} for what a request does, and on {@code kv.durability}. Nothing else depends on this package.
 */
@NullMarked
package io.millrace.subdocservice.kv;

import org.jspecify.annotations.NullMarked;
