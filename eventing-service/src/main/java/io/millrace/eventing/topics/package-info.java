/** The topics whose messages functions handle: streams in Redis, read in a consumer group for each deployment, and channels. */
@NullMarked
package io.millrace.eventing.topics;

import org.jspecify.annotations.NullMarked;
