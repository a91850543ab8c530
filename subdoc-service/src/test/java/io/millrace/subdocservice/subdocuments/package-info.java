/** Tests of sub-document requests on stored documents: the vectors, and what depends on the store. */
@NullMarked
package io.millrace.subdocservice.subdocuments;

import org.jspecify.annotations.NullMarked;
