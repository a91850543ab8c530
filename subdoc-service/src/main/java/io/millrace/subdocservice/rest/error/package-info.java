/**
 * The errors of the API as problem details (RFC 9457). {@link io.millrace.subdocservice.rest.error.ApiError} is the one
 * table of codes. All packages below {@code rest} depend on it; it depends on none of them.
 */
@NullMarked
package io.millrace.subdocservice.rest.error;

import org.jspecify.annotations.NullMarked;
