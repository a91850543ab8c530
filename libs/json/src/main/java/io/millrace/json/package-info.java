/**
 * JSON text as bytes (RFC 8259, UTF-8): checks it, finds values in it and leaves their spelling as it is. Pure
 * functions of a byte array. Every module may depend on this package; it depends on no other.
 */
@NullMarked
package io.millrace.json;

import org.jspecify.annotations.NullMarked;
