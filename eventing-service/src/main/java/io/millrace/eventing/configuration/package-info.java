/**
 * The configuration of this service in MetaKV, and how code that may block waits for MetaKV.
 *
 * <p>{@code functions} and {@code http} use it; of this service it depends on {@code definition} alone.
 */
@NullMarked
package io.millrace.eventing.configuration;

import org.jspecify.annotations.NullMarked;
