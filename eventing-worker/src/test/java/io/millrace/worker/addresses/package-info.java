/** Tests of the addresses that handlers may call. */
@NullMarked
package io.millrace.worker.addresses;

import org.jspecify.annotations.NullMarked;
