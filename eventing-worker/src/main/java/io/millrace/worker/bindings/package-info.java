/**
 * What a handler reaches through its bindings: documents with the writes behind them, queries, timers, curl; and the way
 * to the stores. The worker and its trials run code on it.
 */
@NullMarked
package io.millrace.worker.bindings;

import org.jspecify.annotations.NullMarked;
