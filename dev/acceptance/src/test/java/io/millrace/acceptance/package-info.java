/** Tests of the whole: architecture, style, documents, deployment files, and the suite as processes. */
@NullMarked
package io.millrace.acceptance;

import org.jspecify.annotations.NullMarked;
