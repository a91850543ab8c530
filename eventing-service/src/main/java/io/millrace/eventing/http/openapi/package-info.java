/**
 * The OpenAPI document: types, request bodies and error bodies of the operations. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.openapi;

import org.jspecify.annotations.NullMarked;
