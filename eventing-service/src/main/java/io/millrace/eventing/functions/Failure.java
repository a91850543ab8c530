package io.millrace.eventing.functions;

import java.time.Instant;

/**
 * Why a function is not deployed although it should be.
 *
 * @param line where in the user's code, from 1; 0 when there is no place
 * @param column likewise
 */
record Failure(String message, int line, int column, Instant at) {}
