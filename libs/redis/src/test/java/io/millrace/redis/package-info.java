@NullMarked
package io.millrace.redis;

import org.jspecify.annotations.NullMarked;
