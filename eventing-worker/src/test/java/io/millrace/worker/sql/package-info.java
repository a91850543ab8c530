/** Tests of {@code sql} against SQLite and PostgreSQL. */
@NullMarked
package io.millrace.worker.sql;

import org.jspecify.annotations.NullMarked;
