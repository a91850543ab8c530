/**
 * Transactions: statements that see documents as they have changed them, and whose changes are written together at the end.
 * Used by the engine only.
 */
@NullMarked
package io.millrace.n1ql.transaction;

import org.jspecify.annotations.NullMarked;
