/** The commands {@code user} and {@code key}: who may log in, and with which roles. */
@NullMarked
package io.millrace.launcher.users;

import org.jspecify.annotations.NullMarked;
