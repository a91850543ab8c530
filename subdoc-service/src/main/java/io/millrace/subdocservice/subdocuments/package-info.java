/**
 * Sub-document requests on stored documents: read, run the engine, write with CAS, and retry after a conflict.
 *
 * <p>{@code rest} and {@code kv} depend on it. It depends on {@code documents} and {@code subdoc}, and on no framework.
 */
@NullMarked
package io.millrace.subdocservice.subdocuments;

import org.jspecify.annotations.NullMarked;
