package io.millrace.worker.bindings;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.PublishCall;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.TimerCall;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TracesLimits;
import io.millrace.worker.Exit;
import io.millrace.worker.HandlerCode;
import io.millrace.worker.bindings.WriteBehind.StoreTimeout;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.InsightBook;
import io.millrace.worker.report.LogBuffer;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The host of the handler in one thread: collections by alias, queries, databases, topics, timers, curl and the log. */
public final class BucketHost implements HandlerHost, AutoCloseable {

    /** Marks the writes that a function wants to see itself. */
    private static final String SELF = "~self";

    /** What the threads of a worker share. */
    public record Shared(
            DocumentCache cache,
            UrlBinding urls,
            DatabaseBinding databases,
            TopicBinding topics,
            TimerBinding timers,
            QueryBinding queries,
            InsightBook insight) {

        public static Shared of(WorkerSetup setup, Counters counters, StoreQueue store) {
            return of(setup, counters, store, InstantSource.system());
        }

        /** @param clock the present that statements see */
        public static Shared of(WorkerSetup setup, Counters counters, StoreQueue store, InstantSource clock) {
            HandlerSettings settings = setup.handler();
            return new Shared(
                    new DocumentCache(settings.cacheBytes(), settings.cacheAgeMillis(), Time.SYSTEM, counters),
                    new UrlBinding(settings, setup.redisUri(), counters),
                    new DatabaseBinding(settings, setup.redisUri(), counters),
                    new TopicBinding(setup, store, counters),
                    new TimerBinding(setup, store, counters),
                    new QueryBinding(
                            store.documents(),
                            counters,
                            settings.queryCursors(),
                            settings.queryRoles(),
                            setup.aliases(),
                            clock),
                    new InsightBook(settings.insight()));
        }

        /** Forgets documents that were read. */
        public void forget() {
            cache.invalidateAll();
        }

        public void close() {
            urls.close();
            databases.close();
            topics.close();
        }
    }

    private final Map<String, Keyspace> keyspaces = new HashMap<>();
    private final Set<String> writable = new HashSet<>();
    private final DocumentCache cache;
    private final UrlBinding urls;
    private final DatabaseBinding databases;
    private final TopicBinding topics;
    private final TimerBinding timers;
    private final DocumentTraces traces;
    private final QueryBinding queryBinding;
    private final QueryRunner queries;
    private final InsightBook insight;
    private final Accessors accessors;
    private final String instance;
    private final WriteBehind writes;
    private final LogBuffer log;
    private final Counters counters;
    private @Nullable Invocation current;
    private @Nullable Origin origin;
    private @Nullable Trail trail;
    private Exit exit = (why, message, cause) -> {};

    /** @param shared what all threads of the worker have in common */
    public BucketHost(WorkerSetup setup, WriteBehind writes, LogBuffer log, Counters counters, Shared shared) {
        for (WorkerSetup.Alias alias : setup.aliases()) {
            keyspaces.put(alias.name(), new Keyspace(alias.bucket(), alias.scope(), alias.collection()));
            if (alias.writable()) {
                writable.add(alias.name());
            }
        }
        this.cache = shared.cache();
        this.urls = shared.urls();
        this.databases = shared.databases();
        this.topics = shared.topics();
        this.timers = shared.timers();
        this.traces = new DocumentTraces(setup, writes, counters);
        this.queryBinding = shared.queries();
        this.queries = new QueryRunner(queryBinding);
        this.insight = shared.insight();
        this.accessors = new Accessors(writes, cache, counters);
        this.instance = setup.instance();
        this.writes = writes;
        this.log = log;
        this.counters = counters;
    }

    /** Sets what is called when an invocation cannot be stopped, or the code keeps too much memory. */
    public void onExit(Exit calls) {
        exit = calls;
    }

    @Override
    public void stuck(String why) {
        exit.now(WorkerExit.STUCK, why, null);
    }

    @Override
    public void keepsTooMuch(String why) {
        exit.now(WorkerExit.KEPT_TOO_MUCH, why, null);
    }

    /** Takes the statements that stand in the code which runs from now on. */
    public void runs(List<String> statements) {
        queries.runs(statements);
    }

    /** Ends the thread of the queries. */
    @Override
    public void close() {
        queries.close();
    }

    /** Sets the invocation to which the next calls belong. */
    public void begin(Invocation invocation) {
        current = invocation;
        Trail traced = invocation.trail();
        trail = traced;
        log.handles(LogLine.About.of(invocation.event(), traced == null ? "" : traced.traceId()));
        int hops = invocation.event().hops() + 1;
        if (origin == null || origin.hops() != hops) {
            origin = new Origin(instance, hops);
        }
    }

    /** Says that the handler has returned. */
    public void finish(Invocation invocation, boolean succeeded) {
        Origin by = origin;
        if (by != null) {
            traces.finish(invocation, by, succeeded);
        }
    }

    /** Begins an effect on a document; null if the invocation is not traced. */
    private Trail.@Nullable Step step(String name, DocumentKey key) {
        Trail traced = trail;
        return traced == null
                ? null
                : traced.begin(
                        Span.Kind.EFFECT,
                        name,
                        Map.of(Attribute.KEYSPACE, key.keyspace().toString(), Attribute.DOCUMENT, key.id()));
    }

    private @Nullable Origin origin(Trail.@Nullable Step step) {
        Origin by = origin;
        return step == null || by == null ? by : by.withTrace(step.context());
    }

    @Override
    public @Nullable StoredDocument get(String alias, String id) throws HostFailure {
        Optional<Document> found = call(by -> writes.read(key(alias, id), by));
        if (found.isEmpty()) {
            return null;
        }
        Document document = found.get();
        return new StoredDocument(document.body(), document.datatype() == Datatype.BINARY);
    }

    @Override
    public void upsert(String alias, String id, StoredDocument document) throws HostFailure {
        checkSize(document);
        DocumentKey key = key(alias, id);
        cache.invalidate(key);
        Trail.Step step = step("upsert", key);
        Write write = Write.upsert(key, document.body()).withOrigin(origin(step));
        Write typed = document.binary() ? write.withDatatype(Datatype.BINARY) : write;
        Trail.traced(
                step,
                () -> call(by -> {
                    Trail.follow(step, writes.write(typed, by));
                    counters.add(Counters.WRITES, 1);
                    return true;
                }));
    }

    @Override
    public boolean delete(String alias, String id, boolean mustExist) throws HostFailure {
        DocumentKey key = key(alias, id);
        cache.invalidate(key);
        Trail.Step step = step("delete", key);
        Write write = Write.remove(key).withOrigin(origin(step));
        return Trail.traced(
                step,
                () -> call(by -> {
                    if (mustExist && writes.writeAndWait(write, by) instanceof WriteResult.NotFound) {
                        return false;
                    } else if (!mustExist) {
                        Trail.follow(step, writes.write(write, by));
                    }
                    counters.add(Counters.DELETIONS, 1);
                    return true;
                }));
    }

    private void checkSize(StoredDocument document) throws HostFailure {
        if (document.body().length > Limits.MAX_DOCUMENT_BYTES) {
            throw counted(DocumentsException.of(
                    DocumentsException.Code.DOCUMENT_TOO_LARGE,
                    "The document has %d bytes, more than the limit of %d"
                            .formatted(document.body().length, Limits.MAX_DOCUMENT_BYTES)));
        }
    }

    @Override
    public DocumentAnswer access(DocumentCall call) throws HostFailure {
        StoredDocument document = call.document();
        if (document != null) {
            checkSize(document);
        }
        DocumentKey key = key(placed(keyspace(call.alias()), call), call.id());
        Trail.Step step = call.operation().writes() ? step(call.operation().word(), key) : null;
        Origin by = Objects.requireNonNull(origin(step), "No event is being handled");
        // under another name the function does not take the write for its own
        // and its own round is not counted as a hop: a task that is done in parts may take any number of rounds
        Origin writer =
                call.selfRecursion() ? new Origin(by.instance() + SELF, Math.max(1, by.hops() - 1), by.trace()) : by;
        return Trail.traced(step, () -> call(invocation -> accessors.answer(call, key, writer, invocation)));
    }

    /** Returns the collection that a call means, which is one of those that the alias stands for. */
    private static Keyspace placed(Keyspace keyspace, DocumentCall call) throws HostFailure {
        String scope = call.scope();
        String collection = call.collection();
        if (scope == null || collection == null) {
            return keyspace;
        }
        if (!covers(keyspace.scope(), scope) || !covers(keyspace.collection(), collection)) {
            throw HostFailure.eventingError(
                    "The binding '%s' does not cover %s.%s".formatted(call.alias(), scope, collection));
        }
        return new Keyspace(keyspace.bucket(), scope, collection);
    }

    private static boolean covers(String bound, String wanted) {
        return bound.equals(HandlerCode.WILDCARD) || bound.equals(wanted);
    }

    @Override
    public BindingDetails bindingDetails(String alias) {
        Keyspace keyspace = Objects.requireNonNull(keyspaces.get(alias), alias);
        return new BindingDetails(
                keyspace.bucket(), keyspace.scope(), keyspace.collection(), writable.contains(alias) ? "rw" : "r");
    }

    @Override
    public HttpCall.Answer curl(HttpCall call) throws HostFailure {
        StackReserve.require();
        return urls.send(call, current);
    }

    @Override
    public void publish(PublishCall call) throws HostFailure {
        StackReserve.require();
        topics.publish(call, current, writes);
    }

    @Override
    public SqlCall.Answer sql(SqlCall call) throws HostFailure {
        StackReserve.require();
        return databases.run(call, current);
    }

    @Override
    public String createTimer(TimerCall timer) throws HostFailure {
        StackReserve.require();
        Trail traced = trail;
        if (traced == null) {
            return created(timer, timers.create(timer, "", invocation()));
        }
        Trail.Step step = traced.begin(
                Span.Kind.EFFECT,
                "createTimer",
                Map.of(
                        "callback",
                        timer.callback(),
                        "due",
                        Instant.ofEpochMilli(timer.dueMillis()).toString()));
        return Trail.traced(step, () -> {
            String reference =
                    created(timer, timers.create(timer, step.context().text(), invocation()));
            step.add("reference", reference);
            return reference;
        });
    }

    private String created(TimerCall timer, String reference) {
        traces.created(timer, reference);
        return reference;
    }

    @Override
    public boolean cancelTimer(String callback, String reference) throws HostFailure {
        StackReserve.require();
        return timers.cancel(callback, reference, invocation());
    }

    /** Earlier writes of the handler are carried out before the statement begins. */
    @Override
    public QueryRows query(QueryCall call) throws HostFailure {
        StackReserve.require();
        Invocation by = current;
        if (by == null) {
            throw HostFailure.queryError(call.service(), "Queries can be run only while an event is handled");
        }
        try {
            writes.awaitAll(by);
        } catch (StoreTimeout e) {
            throw queryBinding.timedOut(call.service());
        } catch (InterruptedException e) {
            throw queryBinding.stopped(call.service());
        }
        cache.invalidateAll();
        Trail traced = trail;
        Trail.Step step = traced == null
                ? null
                : traced.begin(Span.Kind.EFFECT, "statement", Map.of("statement", TracesLimits.cut(call.statement())));
        QueryRows rows = Trail.traced(step, () -> queries.begin(call, by.isPublic(), origin(step), by));
        counters.add(Counters.STATEMENTS, 1);
        return rows;
    }

    @Override
    public int queryCursors() {
        return queryBinding.cursors();
    }

    @Override
    public void searchFailed() {
        queryBinding.searchFailed();
    }

    private Invocation invocation() throws HostFailure {
        Invocation by = current;
        if (by == null) {
            throw HostFailure.eventingError("Timers can be used only while an event is handled");
        }
        return by;
    }

    /** Records how the invocation ended. */
    public void ended(Outcome outcome) {
        insight.ended(log.version(), outcome, log.trace());
    }

    @Override
    public boolean wantsInsight() {
        return insight.wanted();
    }

    @Override
    public void called(int line, int times, long micros, String logged) {
        insight.called(log.version(), line, times, micros, logged, log.trace());
    }

    @Override
    public void log(LogLevel level, String line) {
        log.add(level, line);
    }

    private Keyspace keyspace(String alias) throws HostFailure {
        Keyspace keyspace = keyspaces.get(alias);
        if (keyspace == null) {
            throw HostFailure.eventingError("There is no bucket alias '%s'".formatted(alias));
        }
        return keyspace;
    }

    private DocumentKey key(String alias, String id) throws HostFailure {
        return key(keyspace(alias), id);
    }

    private DocumentKey key(Keyspace keyspace, String id) throws HostFailure {
        if (id.isEmpty() || id.indexOf(0) >= 0 || tooLong(id)) {
            throw counted(DocumentsException.of(
                    DocumentsException.Code.INVALID_ID,
                    "A document id must have 1 to %d bytes of UTF-8 and no U+0000".formatted(Limits.MAX_ID_BYTES)));
        }
        return new DocumentKey(keyspace, id);
    }

    private static boolean tooLong(String id) {
        return id.length() > Limits.MAX_ID_BYTES
                || (id.length() * 3 > Limits.MAX_ID_BYTES
                        && id.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_ID_BYTES);
    }

    private interface StoreCall<T> {
        T by(Invocation invocation) throws HostFailure, StoreTimeout, InterruptedException;
    }

    private <T> T call(StoreCall<T> call) throws HostFailure {
        StackReserve.require();
        Invocation by = current;
        if (by == null) {
            throw HostFailure.eventingError("Documents can be used only while an event is handled");
        }
        try {
            return call.by(by);
        } catch (DocumentsException e) {
            throw counted(e);
        } catch (StoreTimeout e) {
            throw counted(KvErrors.timeout(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            throw counted(KvErrors.timeout("The invocation was stopped"));
        }
    }

    private HostFailure counted(DocumentsException failure) {
        return counted(KvErrors.of(failure));
    }

    private HostFailure counted(HostFailure failure) {
        counters.bucketException(failure.code());
        return failure;
    }
}
