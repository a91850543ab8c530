/**
 * The HTTP client behind {@code curl()}: URLs that stay below their binding, credentials, cookies, redirects, limits.
 * Only the worker's host for handlers calls it.
 */
@NullMarked
package io.millrace.worker.curl;

import org.jspecify.annotations.NullMarked;
