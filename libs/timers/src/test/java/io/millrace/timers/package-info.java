/** Tests of timers. */
@NullMarked
package io.millrace.timers;

import org.jspecify.annotations.NullMarked;
