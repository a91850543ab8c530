/** What a document costs over HTTP: through the gateway, at the service, and compared with servers that do nothing else. */
@NullMarked
package io.millrace.benchmarks.http;

import org.jspecify.annotations.NullMarked;
