/**
 * Packs everything that Millrace needs into one archive: programs, class archives, Redis, Java and the script. Only
 * {@code ./millrace dist} runs it; nothing depends on it.
 */
@NullMarked
package io.millrace.distribution;

import org.jspecify.annotations.NullMarked;
