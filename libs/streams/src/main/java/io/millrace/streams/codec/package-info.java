/**
 * Events as programs see them, as JSON for other programs, and as the bytes that stores keep.
 *
 * <p>Categories, the stores and other modules may depend on it; it depends on {@code store} only.
 */
@NullMarked
package io.millrace.streams.codec;

import org.jspecify.annotations.NullMarked;
