/**
 * Event streams over HTTP, for programs that cannot use the library. No other package depends on it.
 */
@NullMarked
package io.millrace.metakvservice.streams;

import org.jspecify.annotations.NullMarked;
