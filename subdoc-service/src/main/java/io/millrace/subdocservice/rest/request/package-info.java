/**
 * What the path, the headers and the query parameters of a request say: document, content type, expiry, precondition.
 * Depends on {@code rest.error}; the other packages below {@code rest} depend on it.
 */
@NullMarked
package io.millrace.subdocservice.rest.request;

import org.jspecify.annotations.NullMarked;
