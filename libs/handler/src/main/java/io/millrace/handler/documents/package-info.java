/**
 * Documents as JavaScript sees them: objects and arrays of the engine whose values are decoded when they are read, and
 * the JSON of values, in which what is not changed keeps its bytes. The only package that uses the engine's internal
 * object model. Knows no host. Internal.
 */
@NullMarked
package io.millrace.handler.documents;

import org.jspecify.annotations.NullMarked;
