/**
 * Documents as JavaScript sees them: views on the bytes of a JSON text that decode what is read and keep the spelling
 * of what is not changed. Knows no host. Internal.
 */
@NullMarked
package io.millrace.handler.documents;

import org.jspecify.annotations.NullMarked;
