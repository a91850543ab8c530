/**
 * Sub-document paths, operations and commands on JSON bytes: pure functions that know no store and no protocol.
 *
 * <p>{@link io.millrace.subdoc.SubDocuments} runs one operation on one document; everything outside the touched entry
 * stays byte for byte. {@link io.millrace.subdoc.Commands} runs whole requests, single or multi, with extended
 * attributes, macros and tombstones, on what a store holds. Services and the worker depend on this package alone; the
 * packages below it, for paths, operations and requests, are internal. The module depends on JSON text only.
 */
@NullMarked
package io.millrace.subdoc;

import org.jspecify.annotations.NullMarked;
