/**
 * The store of what was answered to requests with an {@code Idempotency-Key}. The package {@code http} uses it; it depends on
 * no other one of the service.
 */
@NullMarked
package io.millrace.eventing.idempotency;

import org.jspecify.annotations.NullMarked;
