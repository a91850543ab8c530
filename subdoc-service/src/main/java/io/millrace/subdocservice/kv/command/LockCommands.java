package io.millrace.subdocservice.kv.command;

import io.millrace.access.Permission;
import io.millrace.documents.Datatype;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Commands that lock and unlock documents. */
final class LockCommands {

    private static final int TIME_EXTRAS = 4;

    private final DocumentAccess documents;

    LockCommands(DocumentAccess documents) {
        this.documents = documents;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.GET_LOCKED,
                Command.reading(this::lock)
                        .needing(Permission.DATA_READ, Permission.DATA_WRITE)
                        .extras(0, TIME_EXTRAS),
                Opcode.UNLOCK,
                Command.reading(this::unlock));
    }

    private CompletableFuture<Response> lock(Session session, Request request) {
        DocumentKey key = session.document(request);
        long asked = request.extrasLength() == 0 ? 0 : Integer.toUnsignedLong(request.extra32(0));
        long seconds =
                asked == 0 || asked > CommandLimits.MAX_LOCK_SECONDS ? CommandLimits.DEFAULT_LOCK_SECONDS : asked;
        int json = session.json();
        Status locked = session.locked();
        return documents.store.lock(key, documents.now().plusSeconds(seconds)).thenApply(result -> switch (result) {
            case LockResult.Granted(var document, long cas) ->
                Response.of(Status.SUCCESS)
                        .withCas(cas)
                        .withDatatype(document.datatype() == Datatype.JSON ? json : 0)
                        .withExtras(BigEndian.of(document.flags()))
                        .withValue(document.body());
            case LockResult.Taken taken -> Response.of(locked);
            case LockResult.NotFound none -> Response.of(Status.KEY_ENOENT);
        });
    }

    private CompletableFuture<Response> unlock(Session session, Request request) {
        if (request.cas() == 0) {
            throw CommandException.of(Status.EINVAL, "UNLOCK needs the CAS of the lock");
        }
        DocumentKey key = session.document(request);
        Status locked = session.locked();
        return documents
                .store
                .unlock(key, DocumentAccess.expected(request))
                .thenApply(result -> Response.of(
                        switch (result) {
                            case UNLOCKED -> Status.SUCCESS;
                            case NOT_LOCKED -> Status.NOT_LOCKED;
                            case TAKEN -> locked;
                            case NOT_FOUND -> Status.KEY_ENOENT;
                        }));
    }
}
