@NullUnmarked
package io.millrace.documents.store;

import org.jspecify.annotations.NullUnmarked;
