@NullUnmarked
package io.millrace.timers.redis;

import org.jspecify.annotations.NullUnmarked;
