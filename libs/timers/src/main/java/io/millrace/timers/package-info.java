/**
 * Durable timers of functions on Redis: created, replaced, cancelled, found, claimed when due, removed when their
 * callbacks have returned, retried and kept as dead letters; and schedules in cron syntax.
 *
 * <p>Eventing-service and the worker depend on this package; it depends on Lettuce and cron-utils and on no framework.
 */
@NullMarked
package io.millrace.timers;

import org.jspecify.annotations.NullMarked;
