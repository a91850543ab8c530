/** How many requests and feeds a service has at the same time, in all and for one client. */
@NullMarked
package io.millrace.gateway.limits;

import org.jspecify.annotations.NullMarked;
