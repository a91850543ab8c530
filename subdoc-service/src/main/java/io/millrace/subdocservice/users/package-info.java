/** Who may log in at the endpoints of this service. Depends on {@code metakv}; the endpoints depend on it. */
@NullMarked
package io.millrace.subdocservice.users;

import org.jspecify.annotations.NullMarked;
