/**
 * The audit trail: who did what, when, from where, and with what result. Doors record every administrative act and every
 * refusal with an {@link io.millrace.audit.Audit}; {@link io.millrace.audit.AuditTrail} writes them to sinks as lines of JSON
 * chained by hashes, and {@link io.millrace.audit.Verification} checks such lines. Depends on no other module.
 */
@NullMarked
package io.millrace.audit;

import org.jspecify.annotations.NullMarked;
