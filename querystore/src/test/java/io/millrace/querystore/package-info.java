/** Keyspaces of the document store, in memory and on Redis. */
@NullUnmarked
package io.millrace.querystore;

import org.jspecify.annotations.NullUnmarked;
