/**
 * Regular expressions of clients, before they are compiled. Every module may depend on this package; it depends on no other.
 */
@NullMarked
package io.millrace.patterns;

import org.jspecify.annotations.NullMarked;
