/**
 * Builds the console: checks the types of its TypeScript, bundles it and writes the files that the gateway serves. Runs in
 * the build only; no module depends on these classes.
 */
@NullMarked
package io.millrace.console;

import org.jspecify.annotations.NullMarked;
