/**
 * The REST API: what its parts share to read requests, write responses and report errors. The parts are packages of their
 * own inside this one. Nothing else depends on them; they depend on {@code functions}, {@code applog}, {@code stats},
 * {@code topology} and {@code producer}.
 */
@NullMarked
package io.millrace.eventing.http;

import org.jspecify.annotations.NullMarked;
