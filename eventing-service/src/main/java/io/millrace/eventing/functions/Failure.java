package io.millrace.eventing.functions;

import java.time.Instant;

/**
 * Why the deployment of a function failed.
 *
 * @param line where in the user's code, from 1; 0 when unknown
 * @param column likewise
 */
record Failure(String message, int line, int column, Instant at) {}
