/** What a statement has while it runs: frames of rows, parameters, the deadline, warnings. For the engine alone. */
@NullMarked
package io.millrace.n1ql.runtime;

import org.jspecify.annotations.NullMarked;
