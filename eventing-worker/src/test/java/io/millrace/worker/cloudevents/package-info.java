/** Tests of CloudEvents over HTTP, with a real server. */
@NullMarked
package io.millrace.worker.cloudevents;

import org.jspecify.annotations.NullMarked;
