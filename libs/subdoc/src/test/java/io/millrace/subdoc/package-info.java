/** Tests, and the contract kit: {@link io.millrace.subdoc.SubdocContract}, bound once for each entry to the engine. */
@NullMarked
package io.millrace.subdoc;

import org.jspecify.annotations.NullMarked;
