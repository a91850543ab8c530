/** What the official Couchbase SDK finds, unmodified, over the network. Nothing depends on it. */
@NullMarked
package io.millrace.subdocservice.sdk;

import org.jspecify.annotations.NullMarked;
