/**
 * What clients of the cluster protocol are told about where everything is. Both endpoints, binary and HTTP, depend on it;
 * it depends on the document library alone.
 */
@NullMarked
package io.millrace.subdocservice.cluster;

import org.jspecify.annotations.NullMarked;
