/**
 * Bulk loads: JSON lines are written while they arrive, and the response reports the progress. Depends on {@code
 * rest.request} and {@code rest.error}; {@code rest} depends on it.
 */
@NullMarked
package io.millrace.subdocservice.rest.bulk;

import org.jspecify.annotations.NullMarked;
