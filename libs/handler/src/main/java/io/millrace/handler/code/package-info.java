/**
 * A user's code before it runs: finds and rewrites its N1QL statements, checks what it declares, and maps positions of
 * the rewritten text to positions of the code. Internal.
 */
@NullMarked
package io.millrace.handler.code;

import org.jspecify.annotations.NullMarked;
