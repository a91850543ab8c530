@NullMarked
package io.millrace.eventing.secrets;

import org.jspecify.annotations.NullMarked;
