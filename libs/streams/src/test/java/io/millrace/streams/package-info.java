/** Contract kits, bound to each implementation by thin subclasses. */
@org.jspecify.annotations.NullUnmarked
package io.millrace.streams;
