@NullUnmarked
package io.millrace.timers.memory;

import org.jspecify.annotations.NullUnmarked;
