package io.millrace.eventing.http.openapi;

import org.jspecify.annotations.Nullable;

/**
 * What the file says about one operation.
 *
 * @param id the operation id, unique in the document
 * @param response the name of a schema, a media type whose body is text, or {@code none}
 * @param body likewise; null if the operation takes no body
 * @param bodyRequired whether a request without a body is refused
 * @param description null if the annotation of the operation has one
 */
record DescribedOperation(
        String id,
        String response,
        @Nullable String body,
        boolean bodyRequired,
        @Nullable String description) {}
