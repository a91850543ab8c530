/**
 * The eventing service: runs users' functions on document changes. The feature packages below depend on each other in
 * one direction: {@code http} -&gt; {@code functions} -&gt; {@code applog}, {@code stats} and {@code producer} -&gt;
 * {@code consumer} -&gt; {@code checkpoint}.
 */
@NullMarked
package io.millrace.eventing;

import org.jspecify.annotations.NullMarked;
