/**
 * Documents as CouchDB has them: revisions, conflicts, attachments, and the endpoints that read and write them.
 *
 * <p>The server and {@code feed} depend on this package; of this module it depends on the API only.
 */
@NullMarked
package io.millrace.couch.document;

import org.jspecify.annotations.NullMarked;
