/**
 * The registry of functions, the operators, and the functions of numbers, arrays, JSON and the request.
 *
 * <p>Expressions, plans, analysis and syntax may depend on this package; it depends on {@code value} and on the
 * packages of functions below it.
 */
@NullMarked
package io.millrace.n1ql.function;

import org.jspecify.annotations.NullMarked;
