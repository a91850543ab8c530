/** Tests of logins. */
@NullMarked
package io.millrace.memcached.sasl;

import org.jspecify.annotations.NullMarked;
