package io.millrace.subdocservice.kv;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Every opcode that is offered, with its command. */
final class Dispatcher {

    /** What happens to the requests after one: do they begin before it is answered? */
    private static final List<Opcode> ALONE =
            List.of(Opcode.HELLO, Opcode.SASL_AUTH, Opcode.SASL_STEP, Opcode.SELECT_BUCKET, Opcode.QUIT);

    private final Catalog catalog;
    private final Map<Opcode, Command> commands = new EnumMap<>(Opcode.class);

    Dispatcher(Catalog catalog, List<Map<Opcode, Command>> tables) {
        this.catalog = catalog;
        tables.forEach(commands::putAll);
    }

    /** Returns true when the requests after one of this opcode have to wait for its answer. */
    static boolean alone(@Nullable Opcode opcode) {
        return opcode != null && ALONE.contains(opcode.loud());
    }

    /**
     * Returns null when the session knows all that a request needs; otherwise what has to be waited for and then given to
     * {@link Session#refresh}. Mostly null: the catalog is in memory.
     */
    @Nullable
    CompletableFuture<Optional<BucketInfo>> prepare(Session session, Request request) {
        String bucket = session.bucketName();
        if (bucket == null) {
            return null;
        }
        CompletableFuture<Optional<BucketInfo>> found = catalog.find(bucket);
        if (!found.isDone()) {
            return found;
        }
        if (!found.isCompletedExceptionally()) {
            session.refresh(found.getNow(Optional.empty()).orElse(null));
        }
        return null;
    }

    /** Answers a request; never throws. */
    CompletableFuture<Response> answer(Session session, Request request) {
        try {
            return command(request).orElseThrow(() -> unknown(request)).begin(session, request);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(KvErrors.response(e));
        }
    }

    private Optional<Command> command(Request request) {
        Opcode opcode = request.opcode();
        return opcode == null ? Optional.empty() : Optional.ofNullable(commands.get(opcode.loud()));
    }

    private static Refused unknown(Request request) {
        return Refused.of(request.opcode() == null ? Status.UNKNOWN_COMMAND : Status.NOT_SUPPORTED);
    }
}
