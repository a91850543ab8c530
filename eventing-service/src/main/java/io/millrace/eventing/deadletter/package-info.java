/**
 * The store of dead letters: changes that a function gave up on after its last attempt, kept so that people can look
 * at them and replay them.
 *
 * <p>Packages above {@code checkpoint} may use it; it depends on {@code checkpoint} alone, whose epochs fence its
 * writes.
 */
@NullMarked
package io.millrace.eventing.deadletter;

import org.jspecify.annotations.NullMarked;
