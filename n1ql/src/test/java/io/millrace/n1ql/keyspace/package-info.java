/** The contract of keyspaces, for every store that has some. */
@NullMarked
package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.NullMarked;
