/**
 * N1QL: text to plan to rows over a keyspace SPI. This package is the way in ({@link io.millrace.n1ql.QueryEngine}) and
 * the errors; services and workers may use it, with the packages {@code value} and {@code keyspace}. The other packages
 * are the engine's inside.
 */
@NullMarked
package io.millrace.n1ql;

import org.jspecify.annotations.NullMarked;
