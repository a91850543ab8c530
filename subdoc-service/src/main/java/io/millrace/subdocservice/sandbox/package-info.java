/** The JavaScript engine of the process, for the functions of design documents and those of statements. */
@NullMarked
package io.millrace.subdocservice.sandbox;

import org.jspecify.annotations.NullMarked;
