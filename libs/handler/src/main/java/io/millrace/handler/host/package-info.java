/**
 * The SPI: what a function may ask of the process that runs it, with the calls, their answers and their failures.
 * Implemented outside this module.
 */
@NullMarked
package io.millrace.handler.host;

import org.jspecify.annotations.NullMarked;
