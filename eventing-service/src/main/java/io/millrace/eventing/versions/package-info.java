/**
 * Versions of functions: each save is one, with author, time and note, and two of them can be compared. {@code functions}
 * keeps and restores them; this package knows only definitions.
 */
@NullMarked
package io.millrace.eventing.versions;

import org.jspecify.annotations.NullMarked;
