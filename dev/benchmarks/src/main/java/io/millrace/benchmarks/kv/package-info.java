/** The binary protocol measured: operations next to plain Redis, and what the check of a permission adds to a GET. */
@NullMarked
package io.millrace.benchmarks.kv;

import org.jspecify.annotations.NullMarked;
