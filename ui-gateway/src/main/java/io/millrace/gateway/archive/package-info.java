/** Functions as zip archives: export and import. Nothing depends on it; it calls eventing-service through the proxy. */
@NullMarked
package io.millrace.gateway.archive;

import org.jspecify.annotations.NullMarked;
