/**
 * Live queries: the documents of a collection that match a condition, and how they change, as server-sent events. Depends on
 * {@code rest.error} and {@code rest.request}; only {@code rest} depends on it.
 */
@NullMarked
package io.millrace.subdocservice.rest.live;

import org.jspecify.annotations.NullMarked;
