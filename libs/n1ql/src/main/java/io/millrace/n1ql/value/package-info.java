/**
 * Values of the language: JSON, MISSING and binary, with the collation order, three-valued equality and JSON text.
 * Objects that come from a document are read lazily from its bytes. Used by everything else; depends on nothing.
 */
@NullMarked
package io.millrace.n1ql.value;

import org.jspecify.annotations.NullMarked;
