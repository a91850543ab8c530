/**
 * The store of the state of each document that a function handled last; unchanged updates are recognised by it and
 * before images are taken from it.
 *
 * <p>Packages above {@code checkpoint} may use it; it depends on {@code checkpoint} alone, whose epochs fence its
 * writes.
 */
@NullMarked
package io.millrace.eventing.lasthandled;

import org.jspecify.annotations.NullMarked;
