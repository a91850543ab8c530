/** The CouchDB API over HTTP: the conformance cases and contract kits for each store. */
@org.jspecify.annotations.NullUnmarked
package io.millrace.subdocservice.couch;
