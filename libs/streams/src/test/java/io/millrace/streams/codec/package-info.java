/** Codecs of events. */
@NullUnmarked
package io.millrace.streams.codec;

import org.jspecify.annotations.NullUnmarked;
