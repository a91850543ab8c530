/** The client for a running suite. For the commands and the query shell. */
@NullMarked
package io.millrace.launcher.gateway;

import org.jspecify.annotations.NullMarked;
