/** Compiles expressions whose names have been looked up. For the engine alone. */
@NullMarked
package io.millrace.n1ql.expression;

import org.jspecify.annotations.NullMarked;
