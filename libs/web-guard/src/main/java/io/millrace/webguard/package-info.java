/**
 * The guard against pages of other sites: a filter in front of all others that looks at the {@code Host}, {@code Origin},
 * {@code Sec-Fetch} and {@code Content-Type} headers, and headers that keep browsers from misusing a response. Every
 * service has it by depending on this module; nothing else may. It knows Spring WebFlux and problem details alone.
 */
@NullMarked
package io.millrace.webguard;

import org.jspecify.annotations.NullMarked;
