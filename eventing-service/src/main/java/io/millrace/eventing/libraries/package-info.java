/**
 * The libraries that functions import: modules by name and version, kept in MetaKV below {@code /libraries/}.
 *
 * <p>{@code functions} and {@code http} use it; of this service it depends on {@code configuration} and {@code definition}.
 */
@NullMarked
package io.millrace.eventing.libraries;

import org.jspecify.annotations.NullMarked;
