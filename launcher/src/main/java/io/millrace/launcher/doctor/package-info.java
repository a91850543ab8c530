/** Checks of the machine and of the running suite. For the command {@code doctor}. */
@NullMarked
package io.millrace.launcher.doctor;

import org.jspecify.annotations.NullMarked;
