/** Keyspaces of the document store, in memory and on Redis. */
@NullUnmarked
package io.millrace.n1qldocuments;

import org.jspecify.annotations.NullUnmarked;
