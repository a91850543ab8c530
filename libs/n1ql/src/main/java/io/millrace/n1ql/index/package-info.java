/**
 * Secondary indexes: what entries a document has in one, and how values become bytes that have their order. Plans and the
 * engine use it; stores see bytes only.
 */
@NullMarked
package io.millrace.n1ql.index;

import org.jspecify.annotations.NullMarked;
