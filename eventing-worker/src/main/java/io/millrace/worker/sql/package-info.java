/**
 * The databases behind {@code sql()}: which of them may be used, drivers in a class loader of their own, pools of
 * connections, statements with bound parameters. Only the worker's host for handlers calls it.
 */
@NullMarked
package io.millrace.worker.sql;

import org.jspecify.annotations.NullMarked;
