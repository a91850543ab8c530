/** The users who may log in to the binary protocol and to {@code /pools}. Depends on {@code metakv}; {@code kv} and {@code
 * pools} depend on it. */
@NullMarked
package io.millrace.subdocservice.users;

import org.jspecify.annotations.NullMarked;
