/**
 * The gate of the services: an authentication filter, the table of doors in which each service declares what its routes
 * need, and the refusals. Depends on {@code access}, {@code users} and {@code problem-details}; every service depends on
 * it and declares one {@link io.millrace.accessspring.Doors} bean.
 */
@NullMarked
package io.millrace.accessspring;

import org.jspecify.annotations.NullMarked;
