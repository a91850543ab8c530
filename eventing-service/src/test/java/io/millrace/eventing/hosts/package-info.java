@NullMarked
package io.millrace.eventing.hosts;

import org.jspecify.annotations.NullMarked;
