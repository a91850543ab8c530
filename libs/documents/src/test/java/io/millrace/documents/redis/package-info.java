@NullUnmarked
package io.millrace.documents.redis;

import org.jspecify.annotations.NullUnmarked;
