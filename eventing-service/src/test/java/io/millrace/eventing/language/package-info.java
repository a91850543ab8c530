/** The conformance kit of the handler language: handlers from files through the REST API to real workers. */
@NullMarked
package io.millrace.eventing.language;

import org.jspecify.annotations.NullMarked;
