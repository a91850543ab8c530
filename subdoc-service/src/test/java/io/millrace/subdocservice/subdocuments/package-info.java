/** Tests of sub-document requests on stored documents: the vectors, and what the library alone cannot know. */
@NullMarked
package io.millrace.subdocservice.subdocuments;

import org.jspecify.annotations.NullMarked;
