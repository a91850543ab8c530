/**
 * The REST interface, with Couchbase's paths, bodies and errors. Nothing depends on this package; it depends on
 * {@code functions}, {@code applog}, {@code stats} and {@code producer}.
 */
@NullMarked
package io.millrace.eventing.http;

import org.jspecify.annotations.NullMarked;
