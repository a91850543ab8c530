/**
 * The document store as the keyspaces of queries. Whoever has both a {@link io.millrace.documents.DocumentStore} and a
 * {@link io.millrace.n1ql.QueryEngine} may use it.
 */
@NullMarked
package io.millrace.n1qldocuments;

import org.jspecify.annotations.NullMarked;
