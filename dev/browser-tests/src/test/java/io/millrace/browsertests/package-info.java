/**
 * What the console shows and does in a real browser, with the services behind it. All tests share one suite and one browser;
 * {@link io.millrace.browsertests.RealBrowser} gives them to a test class, in the order that its classes name.
 */
@NullMarked
package io.millrace.browsertests;

import org.jspecify.annotations.NullMarked;
