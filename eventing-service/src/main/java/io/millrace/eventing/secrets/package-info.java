/**
 * The secrets that functions name in their bindings: encrypted with a master key before they leave this process, kept in
 * MetaKV below {@code /secrets/}.
 *
 * <p>{@code functions} and {@code http} use it; of this service it depends on {@code definition} alone.
 */
@NullMarked
package io.millrace.eventing.secrets;

import org.jspecify.annotations.NullMarked;
