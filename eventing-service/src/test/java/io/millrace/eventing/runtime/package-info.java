@NullMarked
package io.millrace.eventing.runtime;

import org.jspecify.annotations.NullMarked;
