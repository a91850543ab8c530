/** Many kinds of load at once on a running suite, and a well-behaved client among them. */
@NullMarked
package io.millrace.testkit.storm;

import org.jspecify.annotations.NullMarked;
