/** Messages of topics over HTTP, for pages and programs that follow them. */
@NullMarked
package io.millrace.eventing.http.topics;

import org.jspecify.annotations.NullMarked;
