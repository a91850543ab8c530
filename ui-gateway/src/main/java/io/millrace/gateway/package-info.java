/**
 * The gateway: one origin for people and tools in front of the other services. This package starts it and holds what
 * its features share: the one exception and the one table that turns failures into answers. Nothing may depend on the
 * gateway but through HTTP.
 */
@NullMarked
package io.millrace.gateway;

import org.jspecify.annotations.NullMarked;
