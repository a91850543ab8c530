package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.ANY;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.access.Permission;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Limits;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.Command.Access;
import io.millrace.subdocservice.traces.Client;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/** Whole documents: reading, writing, extending, expiry. */
final class DocumentCommands {

    private static final int STORE_EXTRAS = 8;
    private static final int TOUCH_EXTRAS = 4;
    private static final int META_SHORT_BYTES = 20;
    private static final int META_WITH_DATATYPE = 2;

    private final DocumentAccess documents;

    DocumentCommands(DocumentAccess documents) {
        this.documents = documents;
    }

    Map<Opcode, Command> commands() {
        Map<Opcode, Command> table = new EnumMap<>(Opcode.class);
        table.put(Opcode.GET, Command.reading(this::get));
        table.put(Opcode.GETK, Command.reading(this::getWithKey));
        table.put(Opcode.GET_META, Command.reading(this::meta).extras(0, 1));
        table.put(
                Opcode.SET,
                storing((session, request) ->
                        store(session, request, request.cas() == 0 ? Write.Kind.UPSERT : Write.Kind.REPLACE)));
        table.put(Opcode.ADD, storing(this::add));
        table.put(Opcode.REPLACE, storing((session, request) -> store(session, request, Write.Kind.REPLACE)));
        table.put(Opcode.DELETE, Command.writing(this::delete));
        table.put(
                Opcode.APPEND,
                Command.writing(extending(DocumentCommands::concat)).value(SOME));
        table.put(
                Opcode.PREPEND,
                Command.writing(extending((body, more) -> concat(more, body))).value(SOME));
        table.put(
                Opcode.TOUCH,
                Command.reading(this::touch).needing(Permission.DATA_WRITE).extras(TOUCH_EXTRAS));
        table.put(
                Opcode.GAT,
                Command.reading(this::getAndTouch)
                        .needing(Permission.DATA_READ, Permission.DATA_WRITE)
                        .extras(TOUCH_EXTRAS));
        return table;
    }

    private static Command storing(Command.Action action) {
        return new Command(
                Access.BUCKET, Set.of(Permission.DATA_WRITE), new int[] {STORE_EXTRAS}, SOME, ANY, true, action);
    }

    private CompletableFuture<Response> get(Session session, Request request) {
        DocumentKey key = session.document(request);
        int json = session.json();
        return documents.read(key, document -> found(document, json));
    }

    private CompletableFuture<Response> getWithKey(Session session, Request request) {
        byte[] key = request.key();
        return get(session, request)
                .thenApply(response -> response.status() == Status.SUCCESS ? response.withKey(key) : response);
    }

    Response found(Document document, int json) {
        return Response.of(Status.SUCCESS)
                .withCas(documents.visibleCas(document))
                .withDatatype(document.datatype() == Datatype.JSON ? json : 0)
                .withExtras(BigEndian.of(document.flags()))
                .withValue(document.body());
    }

    /** Handles tombstones, too, and marks them in the response. */
    private CompletableFuture<Response> meta(Session session, Request request) {
        DocumentKey key = session.document(request);
        boolean withDatatype = request.extrasLength() == 1 && request.extra8(0) == META_WITH_DATATYPE;
        return documents
                .store
                .getWithTombstone(key)
                .thenApply(found ->
                        found.map(document -> meta(document, withDatatype)).orElse(Response.of(Status.KEY_ENOENT)));
    }

    private Response meta(Document document, boolean withDatatype) {
        ByteBuffer extras = ByteBuffer.allocate(META_SHORT_BYTES + (withDatatype ? 1 : 0))
                .putInt(document.live() ? 0 : 1)
                .putInt(document.flags())
                .putInt(Expiries.seconds(document.expiry()))
                .putLong(document.revision());
        if (withDatatype) {
            extras.put((byte) datatypes(document));
        }
        return Response.of(Status.SUCCESS)
                .withCas(documents.visibleCas(document))
                .withExtras(extras.array());
    }

    private static int datatypes(Document document) {
        boolean json = document.datatype() == Datatype.JSON && document.body().length > 0;
        boolean xattrs = document.userXattrs() != null || document.systemXattrs() != null;
        return (json ? Datatypes.JSON : Datatypes.RAW) | (xattrs ? Datatypes.XATTR : Datatypes.RAW);
    }

    private CompletableFuture<Response> add(Session session, Request request) {
        if (request.cas() != 0) {
            throw CommandException.of(Status.EINVAL, "ADD takes no CAS");
        }
        return store(session, request, Write.Kind.INSERT);
    }

    private CompletableFuture<Response> store(Session session, Request request, Write.Kind kind) {
        DocumentKey key = session.document(request);
        if (request.valueLength() > Limits.MAX_DOCUMENT_BYTES) {
            throw CommandException.of(Status.E2BIG, "A document has at most " + Limits.MAX_DOCUMENT_BYTES + " bytes");
        }
        byte[] body = request.value();
        Write write = switch (kind) {
            case INSERT -> Write.insert(key, body);
            case UPSERT -> Write.upsert(key, body);
            case REPLACE -> Write.replace(key, body);
            case REMOVE, TOMBSTONE -> throw new IllegalArgumentException("This kind of write has no body");
        };
        return documents.write(
                session,
                request,
                write.withCas(DocumentAccess.expected(request))
                        .withDatatype(DocumentAccess.datatype(body))
                        .withFlags(request.extra32(0))
                        .withExpiry(Expiries.of(
                                request.extra32(4), request.frameExtras().preserveTtl(), documents.now())));
    }

    private CompletableFuture<Response> delete(Session session, Request request) {
        DocumentKey key = session.document(request);
        return documents.write(session, request, Write.remove(key).withCas(DocumentAccess.expected(request)));
    }

    private Command.Action extending(BinaryOperator<byte[]> join) {
        return (session, request) -> {
            DocumentKey key = session.document(request);
            byte[] more = request.value();
            long expected = DocumentAccess.expected(request);
            Status locked = session.locked();
            DocumentAccess.Success success = DocumentAccess.success(session, session.bucket(), key);
            Durability durability = request.frameExtras().durability();
            Supplier<Client> client = DocumentAccess.client(session, request);
            return DocumentAccess.attempts(() -> documents.store.get(key).thenCompose(found -> {
                if (found.isEmpty()) {
                    return CompletableFuture.completedFuture(Response.of(Status.NOT_STORED));
                }
                Document document = found.get();
                byte[] body = join.apply(document.body(), more);
                Write write = Write.replace(key, body)
                        .withCas(expected == 0 ? document.cas() : expected)
                        .withDatatype(DocumentAccess.datatype(body))
                        .withFlags(document.flags())
                        .withExpiry(Expiry.PRESERVE);
                return documents
                        .durably(durability, () -> documents.put(client, write))
                        .thenApply(result -> expected == 0 && conflicted(result)
                                ? null
                                : result instanceof WriteResult.NotFound
                                        ? Response.of(Status.NOT_STORED)
                                        : DocumentAccess.answer(result, locked, success));
            }));
        };
    }

    /** Returns whether another writer changed the document between the read and the write. */
    static boolean conflicted(WriteResult result) {
        return result instanceof WriteResult.CasMismatch
                || result instanceof WriteResult.NotFound
                || result instanceof WriteResult.AlreadyExists;
    }

    private static byte[] concat(byte[] head, byte[] tail) {
        byte[] both = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, both, head.length, tail.length);
        return both;
    }

    private CompletableFuture<Response> touch(Session session, Request request) {
        DocumentKey key = session.document(request);
        Status locked = session.locked();
        Write write = Write.touch(key, Expiries.of(request.extra32(0), false, documents.now()));
        return documents
                .put(DocumentAccess.client(session, request), write)
                .thenApply(result -> DocumentAccess.answer(
                        result,
                        locked,
                        (cas, seqno) -> Response.of(Status.SUCCESS).withCas(cas)));
    }

    private CompletableFuture<Response> getAndTouch(Session session, Request request) {
        DocumentKey key = session.document(request);
        Status locked = session.locked();
        int json = session.json();
        Expiry expiry = Expiries.of(request.extra32(0), false, documents.now());
        Supplier<Client> client = DocumentAccess.client(session, request);
        return DocumentAccess.attempts(() -> documents.store.get(key).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Response.of(Status.KEY_ENOENT));
            }
            Document document = found.get();
            Write write = Write.touch(key, expiry).withCas(document.cas());
            return documents
                    .put(client, write)
                    .thenApply(result -> conflicted(result)
                            ? null
                            : DocumentAccess.answer(
                                    result,
                                    locked,
                                    (cas, seqno) -> found(document, json).withCas(cas)));
        }));
    }
}
