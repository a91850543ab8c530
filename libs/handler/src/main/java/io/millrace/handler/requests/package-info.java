/** Which requests {@code OnRequest} of a function takes, compared by the service that calls it and by its tests. */
@NullMarked
package io.millrace.handler.requests;

import org.jspecify.annotations.NullMarked;
