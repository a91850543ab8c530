/**
 * The process: its engine, the link by which the service asks it to open and to end workers, and its exit. Nothing
 * depends on it; the eventing service knows it as a command line.
 */
@NullMarked
package io.millrace.worker.host;

import org.jspecify.annotations.NullMarked;
