/**
 * What the engine asks of a store of documents, and a store in memory that is its readable specification. Stores
 * implement it, services hand it to the engine.
 */
@NullMarked
package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.NullMarked;
