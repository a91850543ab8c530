/**
 * The gateway: one origin in front of the other services. This package starts it and has what its other packages share:
 * the exception and the table that maps failures to problems. No module may depend on it; its API is HTTP.
 */
@NullMarked
package io.millrace.gateway;

import org.jspecify.annotations.NullMarked;
