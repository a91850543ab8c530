/** The beginning of traces: changes of clients that are followed. Used by every door through which documents are changed. */
@NullMarked
package io.millrace.subdocservice.traces;

import org.jspecify.annotations.NullMarked;
