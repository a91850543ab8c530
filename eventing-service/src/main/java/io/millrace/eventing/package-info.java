/**
 * The eventing service: runs users' functions on document changes. Its packages depend on each other in one direction:
 * {@code http} -&gt; {@code functions} -&gt; {@code topology}, {@code applog} and {@code stats} -&gt; {@code producer} -&gt;
 * {@code hosts}, {@code delivery} -&gt; {@code timers} -&gt; {@code runtime} -&gt; {@code consumer} -&gt; {@code metrics}, and below them the
 * stores {@code checkpoint}, {@code deadletter} and {@code lasthandled}, and {@code topics} and {@code kafka}; {@code definition} depends on none.
 */
@NullMarked
package io.millrace.eventing;

import org.jspecify.annotations.NullMarked;
