/**
 * Function definitions, their lifecycle and the reconciler that makes a node run what MetaKV says it should.
 *
 * <p>{@code http} depends on this package through {@link io.millrace.eventing.functions.Functions}; it depends on
 * {@code producer}, {@code applog} and MetaKV.
 */
@NullMarked
package io.millrace.eventing.functions;

import org.jspecify.annotations.NullMarked;
