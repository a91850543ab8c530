/**
 * The feed of changes ({@code _changes}): its request, its rows and heartbeats, filters, Mango selectors, and the
 * waiting.
 *
 * <p>Only the server depends on this package; it depends on {@code document} and on the API.
 */
@NullMarked
package io.millrace.couch.feed;

import org.jspecify.annotations.NullMarked;
