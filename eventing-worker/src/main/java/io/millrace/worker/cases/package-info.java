/**
 * Tests of functions: the program behind {@code millrace fn test} and {@code fn run}. It reads functions from their
 * directories, tries them on documents in memory, and prints one line of JSON for each result.
 */
@NullMarked
package io.millrace.worker.cases;

import org.jspecify.annotations.NullMarked;
