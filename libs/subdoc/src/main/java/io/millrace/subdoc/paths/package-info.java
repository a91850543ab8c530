/**
 * Paths as clients spell them, and where they lead in a document. Only the operations use this package.
 */
@NullMarked
package io.millrace.subdoc.paths;

import org.jspecify.annotations.NullMarked;
