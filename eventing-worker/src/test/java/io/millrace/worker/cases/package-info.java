/** Tests of the tests of functions. */
@NullMarked
package io.millrace.worker.cases;

import org.jspecify.annotations.NullMarked;
