/** Keyspaces of the document store, in memory and on Redis. */
@NullMarked
package io.millrace.querystore;

import org.jspecify.annotations.NullMarked;
