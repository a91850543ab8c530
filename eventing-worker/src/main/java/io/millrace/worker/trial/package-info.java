/**
 * Trials: code that runs on events as it does in a worker, while everything that it would change is caught and shown. Tests
 * of functions and dry runs are trials.
 */
@NullMarked
package io.millrace.worker.trial;

import org.jspecify.annotations.NullMarked;
