/**
 * Who may do what over the CouchDB API: the endpoints with what they need, the {@code _security} of databases, and the rule
 * that every write asks. The root package uses it, and filters of feeds, which are told who asks.
 */
@NullMarked
package io.millrace.couch.rights;

import org.jspecify.annotations.NullMarked;
