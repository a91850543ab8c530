/** Libraries of functions over HTTP. Depends on {@code libraries}; only Spring uses it. */
@NullMarked
package io.millrace.eventing.http.libraries;

import org.jspecify.annotations.NullMarked;
