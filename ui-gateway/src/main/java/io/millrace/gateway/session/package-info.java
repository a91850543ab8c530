/** Logging in and out with a browser, and who is logged in. Depends on the gate. */
@NullMarked
package io.millrace.gateway.session;

import org.jspecify.annotations.NullMarked;
