/**
 * HTTP requests for {@code OnRequest} of functions, below {@code /fn}: who may call, how much at once, the request as the
 * code sees it and the response that it returned. Only Spring calls it.
 */
@NullMarked
package io.millrace.eventing.http.requests;

import org.jspecify.annotations.NullMarked;
