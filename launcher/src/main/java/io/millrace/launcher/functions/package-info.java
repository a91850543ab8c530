/**
 * {@code millrace fn}: functions as directories under version control, compared with, deployed to and read from a running
 * suite. {@code command} adds the commands to the command line.
 */
@NullMarked
package io.millrace.launcher.functions;

import org.jspecify.annotations.NullMarked;
