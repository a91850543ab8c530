/**
 * The CouchDB face of documents: revision trees, attachments, local documents, the changes feed with its filters, and
 * what replicators ask for. {@link io.millrace.couch.CouchServer} is where to begin.
 *
 * <p>Calls block: make them on virtual threads. Services may depend on this package; it depends on documents and on no
 * framework.
 */
@NullMarked
package io.millrace.couch;

import org.jspecify.annotations.NullMarked;
