/** Makes libraries of packages of npm, with the esbuild of their directory. The commands use it; it knows no suite. */
@NullMarked
package io.millrace.launcher.packages;

import org.jspecify.annotations.NullMarked;
