/**
 * Traces: what one change led to, from its write over the functions that handled it to their effects. Knows neither the store nor
 * the export; every module may use it.
 */
@NullMarked
package io.millrace.traces;

import org.jspecify.annotations.NullMarked;
