/**
 * The copies of the audit trails of all services: taken from the services, and shown to those who may read them. No other
 * package depends on it.
 */
@NullMarked
package io.millrace.metakvservice.audit;

import org.jspecify.annotations.NullMarked;
