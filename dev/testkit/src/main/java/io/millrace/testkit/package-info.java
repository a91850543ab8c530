/**
 * Fixtures for tests: a real Redis for every test that needs one, one of its own for a test that kills it, and a
 * network that fails on demand.
 *
 * <p>Only tests depend on this package.
 */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
