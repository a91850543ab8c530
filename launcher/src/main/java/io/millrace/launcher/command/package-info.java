/** The commands of {@code ./millrace}, one class each. Nothing depends on this package. */
@NullMarked
package io.millrace.launcher.command;

import org.jspecify.annotations.NullMarked;
