package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.NONE;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.access.Permission;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Write;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.Command.Access;
import io.millrace.subdocservice.traces.Client;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;

/** Counters: documents that are unsigned 64-bit numbers. Increments wrap around to 0, decrements stop at 0. */
final class CounterCommands {

    private static final int EXTRAS = 20;

    /** An expiry that means: do not create the document. */
    private static final int NOT_CREATED = 0xffffffff;

    private final DocumentAccess documents;

    CounterCommands(DocumentAccess documents) {
        this.documents = documents;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.INCREMENT,
                counting(Long::sum),
                Opcode.DECREMENT,
                counting((value, delta) -> Long.compareUnsigned(value, delta) < 0 ? 0 : value - delta));
    }

    private Command counting(LongBinaryOperator step) {
        return new Command(
                Access.BUCKET,
                Set.of(Permission.DATA_READ, Permission.DATA_WRITE), // the response has the number
                new int[] {EXTRAS},
                SOME,
                NONE,
                true,
                (session, request) -> count(session, request, step));
    }

    private CompletableFuture<Response> count(Session session, Request request, LongBinaryOperator step) {
        if (request.cas() != 0) {
            throw CommandException.of(Status.EINVAL, "A counter operation takes no CAS");
        }
        DocumentKey key = session.document(request);
        long delta = request.extra64(0);
        long initial = request.extra64(8);
        int expiry = request.extra32(16);
        Status locked = session.locked();
        DocumentAccess.Success success = DocumentAccess.success(session, session.bucket(), key);
        Durability durability = request.frameExtras().durability();
        Supplier<Client> client = DocumentAccess.client(session, request);
        return DocumentAccess.attempts(() -> documents.store.get(key).thenCompose(found -> {
            long next;
            Write write;
            if (found.isPresent()) {
                OptionalLong value = number(found.get());
                if (value.isEmpty()) {
                    return CompletableFuture.completedFuture(Response.of(Status.DELTA_BADVAL));
                }
                next = step.applyAsLong(value.getAsLong(), delta);
                write = Write.replace(key, text(next))
                        .withCas(found.get().cas())
                        .withFlags(found.get().flags())
                        .withExpiry(Expiry.PRESERVE);
            } else if (expiry == NOT_CREATED) {
                return CompletableFuture.completedFuture(Response.of(Status.KEY_ENOENT));
            } else {
                next = initial;
                write = Write.insert(key, text(next)).withExpiry(Expiries.of(expiry, false, documents.now()));
            }
            return documents
                    .durably(durability, () -> documents.put(client, write))
                    .thenApply(result -> DocumentCommands.conflicted(result)
                            ? null
                            : DocumentAccess.answer(
                                    result,
                                    locked,
                                    (cas, seqno) -> success.of(cas, seqno).withValue(BigEndian.of(next))));
        }));
    }

    /** Returns the number in a document; empty if the document is not a number. */
    private static OptionalLong number(Document document) {
        byte[] body = document.body();
        for (byte b : body) {
            if (b < '0' || b > '9') {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(new String(body, StandardCharsets.US_ASCII)));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static byte[] text(long number) {
        return Long.toUnsignedString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
