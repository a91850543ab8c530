/** Tests of curl against an HTTP server. */
@NullMarked
package io.millrace.worker.curl;

import org.jspecify.annotations.NullMarked;
