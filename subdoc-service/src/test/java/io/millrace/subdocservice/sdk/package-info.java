/** The official Couchbase SDK, unmodified, against the service. Nothing depends on it. */
@NullMarked
package io.millrace.subdocservice.sdk;

import org.jspecify.annotations.NullMarked;
