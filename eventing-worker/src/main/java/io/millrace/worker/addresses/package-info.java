/** Which addresses handlers may call. Curl and the databases use it; it depends on no other package. */
@NullMarked
package io.millrace.worker.addresses;

import org.jspecify.annotations.NullMarked;
