/** The CouchDB face over HTTP: the conformance cases and contract kits, bound to each store. */
@org.jspecify.annotations.NullUnmarked
package io.millrace.subdocservice.couch;
