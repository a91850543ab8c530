/** What the gate costs: wrong passwords in numbers, and checks of permissions. */
@NullMarked
package io.millrace.benchmarks.access;

import org.jspecify.annotations.NullMarked;
