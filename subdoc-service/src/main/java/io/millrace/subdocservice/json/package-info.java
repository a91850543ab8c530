/**
 * JSON text as bytes: checking it and finding values in it without changing how they are spelt. Pure functions of a
 * byte array; knows no HTTP and no store. The other packages of this service may use it.
 */
@NullMarked
package io.millrace.subdocservice.json;

import org.jspecify.annotations.NullMarked;
