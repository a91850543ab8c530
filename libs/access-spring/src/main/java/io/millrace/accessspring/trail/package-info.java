/** The audit trail of a service and the way of its lines to the stream of all trails. */
@NullMarked
package io.millrace.accessspring.trail;

import org.jspecify.annotations.NullMarked;
