/** The contract kits of the CouchDB face, bound here to the server in process; services bind them to HTTP. */
@NullUnmarked
package io.millrace.couch;

import org.jspecify.annotations.NullUnmarked;
