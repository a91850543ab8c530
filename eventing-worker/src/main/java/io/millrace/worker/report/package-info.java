/**
 * What the worker reports to the service while it runs: log lines, counters, times by line of code, and whether Redis can be
 * reached. Knows no store and no handler; the rest of the worker uses it.
 */
@NullMarked
package io.millrace.worker.report;

import org.jspecify.annotations.NullMarked;
