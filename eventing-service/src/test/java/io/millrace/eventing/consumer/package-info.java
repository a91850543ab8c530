/** Tests of {@code io.millrace.eventing.consumer}. */
@NullMarked
package io.millrace.eventing.consumer;

import org.jspecify.annotations.NullMarked;
