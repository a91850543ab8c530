/** Secrets of functions over HTTP. Depends on {@code functions} and {@code secrets}; only Spring uses it. */
@NullMarked
package io.millrace.eventing.http.secrets;

import org.jspecify.annotations.NullMarked;
