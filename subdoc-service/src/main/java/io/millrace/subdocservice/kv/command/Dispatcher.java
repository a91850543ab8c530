package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentStore;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.kv.scan.RangeScans;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.subdocservice.users.Logins;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Every opcode that is offered, with its command. */
public final class Dispatcher {

    /** What happens to the requests after one: do they begin before it is answered? */
    private static final List<Opcode> ALONE =
            List.of(Opcode.HELLO, Opcode.SASL_AUTH, Opcode.SASL_STEP, Opcode.SELECT_BUCKET, Opcode.QUIT);

    private final Catalog catalog;
    private final Rights rights;
    private final Map<Opcode, Command> commands = new EnumMap<>(Opcode.class);

    Dispatcher(Catalog catalog, Rights rights, List<Map<Opcode, Command>> tables) {
        this.catalog = catalog;
        this.rights = rights;
        tables.forEach(commands::putAll);
    }

    /** Returns the dispatcher of every command that this service has. */
    public static Dispatcher create(
            DocumentStore store,
            SubDocumentExecutor executor,
            InstantSource clock,
            Cluster cluster,
            Logins logins,
            DurableWrites durable,
            WriteTraces traces) {
        DocumentAccess documents = new DocumentAccess(store, clock, durable, traces);
        Rights rights = new Rights(logins);
        BucketCommands buckets = new BucketCommands(
                store,
                rights,
                () -> cluster.config()
                        .orElseThrow(() -> CommandException.of(Status.ETMPFAIL, "The service is starting; try again")));
        return new Dispatcher(
                store.catalog(),
                rights,
                List.of(
                        new HandshakeCommands(logins, version()).commands(),
                        buckets.commands(),
                        new DocumentCommands(documents).commands(),
                        new CounterCommands(documents).commands(),
                        new LockCommands(documents).commands(),
                        new RandomKeyCommand(documents, rights, new SecureRandom()).commands(),
                        new RangeScanCommands(new RangeScans(store, clock), rights, clock).commands(),
                        new SubdocCommands(documents, executor).commands()));
    }

    private static String version() {
        String version = Dispatcher.class.getPackage().getImplementationVersion();
        return "millrace " + (version == null ? "unreleased" : version);
    }

    /** Returns whether the requests after one with this opcode must wait for its response. */
    public static boolean alone(@Nullable Opcode opcode) {
        return opcode != null && ALONE.contains(opcode.loud());
    }

    /**
     * Returns null if the session has the description of its bucket; otherwise a future whose value the caller must pass to
     * {@link Session#refresh}. Usually null: the catalog is in memory.
     */
    @Nullable
    public CompletableFuture<Optional<BucketInfo>> prepare(Session session, Request request) {
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

    /** Handles a request. Never throws, and the future never fails: an error is a response, too. */
    public CompletableFuture<Response> answer(Session session, Request request) {
        try {
            return command(request)
                    .orElseThrow(() -> unknown(request))
                    .begin(session, request, rights)
                    .exceptionally(CommandErrors::response);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(CommandErrors.response(e));
        }
    }

    /** Returns the opcodes that are offered, each with what it needs. */
    Map<Opcode, Command> commands() {
        return Map.copyOf(commands);
    }

    private Optional<Command> command(Request request) {
        Opcode opcode = request.opcode();
        return opcode == null ? Optional.empty() : Optional.ofNullable(commands.get(opcode.loud()));
    }

    private static CommandException unknown(Request request) {
        Opcode opcode = request.opcode();
        return opcode == null
                ? CommandException.of(Status.UNKNOWN_COMMAND)
                : CommandException.of(Status.NOT_SUPPORTED, instead(opcode.loud()));
    }

    /** Returns what to use in place of a command that Couchbase has. */
    private static String instead(Opcode opcode) {
        return switch (opcode) {
            case STAT -> "There are no statistics in this protocol; ask the services for /actuator/prometheus";
            case OBSERVE, OBSERVE_SEQNO -> "Writes are not observed; ask for a durability level with the write itself";
            case FLUSH -> "A bucket is emptied by POST /pools/default/buckets/<bucket>/controller/doFlush";
            case GET_ALL_VB_SEQNOS, GET_FAILOVER_LOG ->
                "There are no change streams in this protocol; follow changes with GET /<bucket>/_changes";
            default -> "This service does not have the command " + opcode;
        };
    }
}
