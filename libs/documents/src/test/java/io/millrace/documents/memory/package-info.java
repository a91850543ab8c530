@NullUnmarked
package io.millrace.documents.memory;

import org.jspecify.annotations.NullUnmarked;
