/**
 * Who may do what, as pure functions: subjects have roles, a role grants permissions on a target, a door asks for one
 * permission on one resource. {@link io.millrace.access.Access} is the only rule. Depends on nothing; every door of every
 * service depends on it.
 */
@NullMarked
package io.millrace.access;

import org.jspecify.annotations.NullMarked;
