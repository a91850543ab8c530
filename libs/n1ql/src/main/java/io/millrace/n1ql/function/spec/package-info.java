/**
 * What a function is: its name, arity and body, the request that it runs in, and helpers for its arguments.
 *
 * <p>All packages of functions depend on it; it depends on none of them.
 */
@NullMarked
package io.millrace.n1ql.function.spec;

import org.jspecify.annotations.NullMarked;
