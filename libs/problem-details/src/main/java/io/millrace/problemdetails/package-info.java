/**
 * The error body of Millrace's own HTTP APIs: problem details (RFC 9457) with a stable code and an action. Every service
 * may depend on it. It depends on Spring WebFlux and on no other module. Couchbase- and CouchDB-compatible paths keep
 * the error bodies of their protocols and do not use it.
 */
@NullMarked
package io.millrace.problemdetails;

import org.jspecify.annotations.NullMarked;
