/**
 * Functions as files. A function is a directory with {@code handler.js}, {@code function.json} and {@code tests/*.json}:
 * {@link io.millrace.functionfiles.Templates} has some to start from, {@link io.millrace.functionfiles.FunctionDirectory}
 * reads and writes them. Depends on no other module; the command line, the worker and the eventing service may depend on it.
 */
@NullMarked
package io.millrace.functionfiles;

import org.jspecify.annotations.NullMarked;
