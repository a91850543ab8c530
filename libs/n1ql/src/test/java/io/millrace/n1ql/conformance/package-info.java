/** Runs the language cases outside the repository, if they are available. */
@NullMarked
package io.millrace.n1ql.conformance;

import org.jspecify.annotations.NullMarked;
