/**
 * One operation at one path of a document: finds the place and says which bytes replace which. Used by {@link
 * io.millrace.subdoc.SubDocuments} and the requests.
 */
@NullMarked
package io.millrace.subdoc.operations;

import org.jspecify.annotations.NullMarked;
