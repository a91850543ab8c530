/** Runs the four services in one JVM. Started by the launcher as a process of its own; no module depends on it. */
@NullMarked
package io.millrace.local;

import org.jspecify.annotations.NullMarked;
