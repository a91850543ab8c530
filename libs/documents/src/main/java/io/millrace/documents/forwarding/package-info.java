/** A store in front of another one. */
@NullMarked
package io.millrace.documents.forwarding;

import org.jspecify.annotations.NullMarked;
