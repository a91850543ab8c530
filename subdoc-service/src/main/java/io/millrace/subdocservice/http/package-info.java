/** Who has sent a request, and what it changes: shared by all HTTP APIs of this service. Depends on none of them. */
@NullMarked
package io.millrace.subdocservice.http;

import org.jspecify.annotations.NullMarked;
