/** Tests of the whole product: architecture, style, documents, deployment files, and the running suite. */
@NullMarked
package io.millrace.acceptance;

import org.jspecify.annotations.NullMarked;
