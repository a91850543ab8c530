/**
 * Sub-document requests on stored documents: read, run the engine, write by CAS, and again when somebody else was faster.
 *
 * <p>The HTTP and the binary protocol's packages depend on it; it depends on documents and subdoc, and on no framework.
 */
@NullMarked
package io.millrace.subdocservice.subdocuments;

import org.jspecify.annotations.NullMarked;
