/**
 * Who may do what over the CouchDB API: the endpoints with what they need, the {@code _security} of databases, and the rule
 * that every write asks. Only the root package uses it.
 */
@NullMarked
package io.millrace.couch.rights;

import org.jspecify.annotations.NullMarked;
