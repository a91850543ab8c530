/**
 * Users and API keys as MetaKV stores them, the directory that follows them, and the check of passwords and keys with a
 * limit on guesses. Depends on {@code access}, {@code metakv} and the SCRAM keys of {@code memcached}.
 */
@NullMarked
package io.millrace.users;

import org.jspecify.annotations.NullMarked;
