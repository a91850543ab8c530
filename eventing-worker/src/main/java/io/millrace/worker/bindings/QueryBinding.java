package io.millrace.worker.bindings;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Origin;
import io.millrace.handler.QueryLanguage;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.QueryCall;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementOutline;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.JsonWriter;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.n1qldocuments.SubjectRights;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the handler threads of a worker share for queries. See {@code RATIONALE.md}, "Queries". */
public final class QueryBinding {

    /** The prefix of internal buckets, which queries cannot see. */
    private static final String SYSTEM_PREFIX = "_";

    private static final String TIMED_OUT = "SDK error : LCB_ERR_TIMEOUT (201)";

    private final QueryEngine engine;
    private final Counters counters;
    private final int cursors;
    private final StatementRights rights;
    private final List<WorkerSetup.Alias> aliases;
    private final ThreadLocal<@Nullable Origin> origin = new ThreadLocal<>();

    /**
     * @param cursors how many results a thread may have open
     * @param roles what statements are allowed to do, as roles are spelled
     * @param aliases the keyspaces that the function is bound to
     */
    QueryBinding(
            DocumentStore store,
            Counters counters,
            int cursors,
            List<String> roles,
            List<WorkerSetup.Alias> aliases,
            InstantSource clock) {
        this.engine = new QueryEngine(
                new DocumentKeyspaces(store, bucket -> !bucket.startsWith(SYSTEM_PREFIX), origin::get), clock);
        this.counters = counters;
        this.cursors = cursors;
        this.aliases = aliases;
        this.rights =
                new SubjectRights(Subject.user("owner", Subject.Domain.LOCAL, Role.parseAll(String.join(",", roles))));
    }

    /** Reads a statement in a handler's code. */
    public static QueryLanguage.Reading read(String text) {
        try {
            StatementOutline outline = StatementOutline.of(text);
            return new QueryLanguage.Statement(outline.parameters(), outline.select());
        } catch (QueryException e) {
            return new QueryLanguage.Unreadable(
                    "N1QL " + e.description(), Math.max(1, e.line()), Math.max(1, e.column()));
        }
    }

    int cursors() {
        return cursors;
    }

    QueryEngine engine() {
        return engine;
    }

    /** Returns the rights of the function's owner. */
    StatementRights rights() {
        return rights;
    }

    /** Returns the rights of requests to the function when it is public and its code has these statements. */
    StatementRights publicRights(List<String> statements) {
        return new PublicRights(rights, aliases, statements);
    }

    /** Sets the origin of the changes that statements of the calling thread make. */
    void writeAs(@Nullable Origin by) {
        origin.set(by);
    }

    /** Warms the parser up in the background, for the first query. */
    public void warmUp() {
        Thread thread = new Thread(engine::warmUp, "query-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    /** Counts a failure and returns it as handlers know it. */
    HostFailure failure(QueryCall.Service service, QueryException failure) {
        StringBuilder message = new StringBuilder();
        if (failure.errorCode() == ErrorCode.TIMEOUT) {
            message.append(TIMED_OUT).append(' ');
        } else if (failure.errorCode() == ErrorCode.UNAVAILABLE) {
            message.append("SDK error : LCB_ERR_TEMPORARY_FAILURE (207) ");
        }
        JsonWriter text = new JsonWriter();
        text.string(failure.getMessage());
        message.append("Query error : {\"errors\":[{\"code\":")
                .append(failure.code())
                .append(",\"msg\":")
                .append(new String(text.toBytes(), StandardCharsets.UTF_8))
                .append("}]}");
        return failure(service, message.toString());
    }

    HostFailure timedOut(QueryCall.Service service) {
        return failure(service, TIMED_OUT);
    }

    HostFailure stopped(QueryCall.Service service) {
        return failure(service, "The invocation was stopped");
    }

    private HostFailure failure(QueryCall.Service service, String message) {
        counters.add(
                service == QueryCall.Service.ANALYTICS ? Counters.ANALYTICS_EXCEPTIONS : Counters.QUERY_EXCEPTIONS, 1);
        return HostFailure.queryError(service, message);
    }

    void searchFailed() {
        counters.add(Counters.SEARCH_EXCEPTIONS, 1);
    }
}
