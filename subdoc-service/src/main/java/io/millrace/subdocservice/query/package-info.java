/**
 * The query service as Couchbase clients know it: {@code /query/service} and its administration. Statements run in
 * {@link io.millrace.n1ql.QueryEngine}. Nothing else depends on this package.
 */
@NullMarked
package io.millrace.subdocservice.query;

import org.jspecify.annotations.NullMarked;
