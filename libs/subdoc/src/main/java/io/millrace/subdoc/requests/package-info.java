/**
 * Whole requests, single or multi, with extended attributes, macros and tombstones. Used by {@link
 * io.millrace.subdoc.Commands} alone.
 */
@NullMarked
package io.millrace.subdoc.requests;

import org.jspecify.annotations.NullMarked;
