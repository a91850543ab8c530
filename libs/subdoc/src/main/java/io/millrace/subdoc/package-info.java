/**
 * Sub-document paths, operations and commands on JSON bytes: pure functions that know no store and no protocol.
 *
 * <p>{@link io.millrace.subdoc.SubDocuments} runs one operation on one document; everything outside the touched entry
 * stays byte for byte. {@link io.millrace.subdoc.Commands} runs whole requests, single or multi, with extended
 * attributes, macros and tombstones, on what a store holds. Services and the worker depend on this package; it depends
 * on nothing.
 */
@NullMarked
package io.millrace.subdoc;

import org.jspecify.annotations.NullMarked;
