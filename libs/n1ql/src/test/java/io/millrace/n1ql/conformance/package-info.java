/** Runs the language cases that lie beside the repository, where they are there. */
@NullMarked
package io.millrace.n1ql.conformance;

import org.jspecify.annotations.NullMarked;
