/** Operators and functions over values, by family, and the registry of their names. For the engine alone. */
@NullMarked
package io.millrace.n1ql.function;

import org.jspecify.annotations.NullMarked;
