/**
 * The query shell: statements typed in a terminal, read from a file or from standard input, and the formats that print
 * their rows. {@code launcher.command} opens it; it reaches the suite only through {@link
 * io.millrace.launcher.shell.QueryGateway}.
 */
@NullMarked
package io.millrace.launcher.shell;

import org.jspecify.annotations.NullMarked;
