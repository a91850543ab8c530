package io.millrace.subdocservice.kv.command;

import io.millrace.audit.Audit;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditEvent.Kind;
import io.millrace.audit.AuditKinds;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Records refused requests and failed logins. The ids of documents do not belong into a trail. */
public final class KvAudit {

    private static final Kind NOT_LOGGED_IN = Kind.of("access.unauthorized");
    private static final Kind FORBIDDEN = Kind.of("access.forbidden");

    private final Audit audit;

    public KvAudit(Audit audit) {
        this.audit = audit;
    }

    /** Returns whether a response refuses a request or a login. */
    public static boolean refuses(Response response) {
        return response.status() == Status.EACCESS || response.status() == Status.AUTH_ERROR;
    }

    /** Completes when a refusal is recorded. A refusal that cannot be recorded remains one, so this never fails. */
    public CompletableFuture<Void> record(Session session, Request request, Response refusal) {
        AuditEvent event = refusal.status() == Status.AUTH_ERROR
                ? AuditEvent.refused(
                        AuditKinds.LOGIN_FAILURE, session.claimant(), opcode(request), session.failure(), id(request))
                : AuditEvent.refused(
                        session.user() == null ? NOT_LOGGED_IN : FORBIDDEN,
                        session.actor(),
                        resource(session, request),
                        reason(refusal),
                        id(request));
        return audit.record(event).exceptionally(unwritten -> null);
    }

    private static String resource(Session session, Request request) {
        String bucket = session.bucketName();
        String place = bucket == null ? "" : bucket;
        if (bucket != null && request.keyLength() > 0) {
            try {
                Keyspace keyspace = session.keyspace(request);
                place = keyspace.bucket() + ":" + keyspace.scope() + ":" + keyspace.collection();
            } catch (CommandException e) {
                // the key names no collection that exists: the bucket has to suffice
            }
        }
        return (opcode(request) + " " + place).strip();
    }

    private static String opcode(Request request) {
        Opcode opcode = request.opcode();
        return opcode == null ? "0x%02x".formatted(request.head().opcode()) : opcode.name();
    }

    /** Unique together with the address of the client: the number by which the client finds the response. */
    private static String id(Request request) {
        return HexFormat.of().toHexDigits(request.head().opaque());
    }

    private static String reason(Response response) {
        try {
            return response.value().length == 0
                    ? Status.EACCESS.description()
                    : JsonMapper.shared()
                            .readTree(response.value())
                            .at("/error/context")
                            .asString("");
        } catch (JacksonException e) {
            return Status.EACCESS.description();
        }
    }
}
