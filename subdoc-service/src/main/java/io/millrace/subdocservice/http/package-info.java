/** What every HTTP face of this service does alike. Knows none of them. */
@NullMarked
package io.millrace.subdocservice.http;

import org.jspecify.annotations.NullMarked;
