@NullUnmarked
package io.millrace.timers.firing;

import org.jspecify.annotations.NullUnmarked;
