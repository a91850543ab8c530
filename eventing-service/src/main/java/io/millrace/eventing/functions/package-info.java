/**
 * The lifecycle of functions: their states, the store in MetaKV, the requests that change them, and the reconciler
 * that makes this node run what MetaKV says.
 *
 * <p>{@code http} uses it; it depends on {@code definition}, {@code runtime}, {@code timers}, {@code topology}, {@code
 * applog} and MetaKV.
 */
@NullMarked
package io.millrace.eventing.functions;

import org.jspecify.annotations.NullMarked;
