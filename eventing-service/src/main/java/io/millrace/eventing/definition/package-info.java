/**
 * Definitions of functions: names, settings, bindings, the rules for them, the JSON in which they are read and
 * written, and the errors of the REST API.
 *
 * <p>{@code functions}, {@code timers} and {@code http} use it; it depends on no other package of this service.
 */
@NullMarked
package io.millrace.eventing.definition;

import org.jspecify.annotations.NullMarked;
