/**
 * The CouchDB API over HTTP: {@code /couch}. Translates between requests and {@link io.millrace.couch.CouchServer}, which
 * blocks and is therefore called on virtual threads. Nothing else depends on this package.
 */
@NullMarked
package io.millrace.subdocservice.couch;

import org.jspecify.annotations.NullMarked;
