/**
 * Documents in memory: {@link MemoryDocumentStore}, a store for tests and the readable specification of what a store does.
 */
@NullMarked
package io.millrace.documents.memory;

import org.jspecify.annotations.NullMarked;
