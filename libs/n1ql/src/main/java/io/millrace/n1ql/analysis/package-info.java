/** Looks names up, separates aggregates and windows, and refuses what means nothing. For the engine alone. */
@NullMarked
package io.millrace.n1ql.analysis;

import org.jspecify.annotations.NullMarked;
