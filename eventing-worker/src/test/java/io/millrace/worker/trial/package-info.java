/** Tests of trials on a store in memory. */
@NullMarked
package io.millrace.worker.trial;

import org.jspecify.annotations.NullMarked;
