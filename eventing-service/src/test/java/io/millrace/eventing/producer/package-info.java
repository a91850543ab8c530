/** Tests of {@code io.millrace.eventing.producer}. */
@NullMarked
package io.millrace.eventing.producer;

import org.jspecify.annotations.NullMarked;
