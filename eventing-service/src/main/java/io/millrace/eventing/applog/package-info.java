/**
 * The log files of functions: written as workers report lines, rotated by size, read newest line first.
 *
 * <p>{@code functions} configures them, {@code http} reads them; this package depends only on {@code producer}, whose
 * {@link io.millrace.eventing.runtime.LogSink} it is.
 */
@NullMarked
package io.millrace.eventing.applog;

import org.jspecify.annotations.NullMarked;
