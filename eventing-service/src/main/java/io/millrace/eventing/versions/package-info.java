/**
 * Versions of functions: each save is one, with author, owner, time and note, and two of them can be compared; a canary is one
 * on trial. {@code functions} keeps and restores them; this package knows definitions, and what a canary reports.
 */
@NullMarked
package io.millrace.eventing.versions;

import org.jspecify.annotations.NullMarked;
