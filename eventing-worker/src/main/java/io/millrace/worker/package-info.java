/**
 * The worker process: runs one function's handler on the events that arrive over the worker link and carries out what
 * the handler does to documents. Nothing depends on it; the eventing service knows it as a command line.
 */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
