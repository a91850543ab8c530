/** The commands {@code up}, {@code demo}, {@code load} and {@code query} of {@code ./millrace}. Nothing depends on it. */
@NullMarked
package io.millrace.launcher.command;

import org.jspecify.annotations.NullMarked;
