/** Tests of the frames. */
@NullMarked
package io.millrace.memcached;

import org.jspecify.annotations.NullMarked;
