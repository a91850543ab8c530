/** Makes certificates for a suite on one machine and for tests, with the {@code keytool} of the JDK. */
@NullMarked
package io.millrace.launcher.tls;

import org.jspecify.annotations.NullMarked;
