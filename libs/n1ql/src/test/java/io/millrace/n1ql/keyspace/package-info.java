/** The contract of keyspaces, for every store that has some. */
@NullUnmarked
package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.NullUnmarked;
