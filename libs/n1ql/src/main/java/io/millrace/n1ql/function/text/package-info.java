/**
 * Functions of strings: bytes, characters, regular expressions, tokens, masks; and the patterns of LIKE.
 *
 * <p>The registry depends on it, expressions and plans on {@code Like}; it depends on {@code function.spec}.
 */
@NullMarked
package io.millrace.n1ql.function.text;

import org.jspecify.annotations.NullMarked;
