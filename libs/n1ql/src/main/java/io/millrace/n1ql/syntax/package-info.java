/** The syntax tree of a statement and the parser that makes it. For the engine alone. */
@NullMarked
package io.millrace.n1ql.syntax;

import org.jspecify.annotations.NullMarked;
