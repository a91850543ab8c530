@NullMarked
package io.millrace.json;

import org.jspecify.annotations.NullMarked;
