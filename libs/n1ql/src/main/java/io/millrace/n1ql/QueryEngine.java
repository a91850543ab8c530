package io.millrace.n1ql;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.plan.statement.StatementPlanner;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs N1QL statements over a document store. Thread-safe; has no threads of its own: a statement runs on the thread
 * that asks for its rows, which may wait for the store.
 */
public final class QueryEngine {

    /** The most plans in the cache. */
    public static final int CACHED_PLANS = 1024;

    private static final String[] WARM_UP = {
        "SELECT DISTINCT a.b, COUNT(*) AS n FROM k a JOIN l ON KEYS a.x UNNEST a.y AS z LET q = a.b[0].c || 'd'"
                + " WHERE ANY v IN a.s SATISFIES v > $1 AND v LIKE 'x%' END AND a.b IS NOT MISSING"
                + " GROUP BY a.b HAVING COUNT(*) > 1 ORDER BY n DESC LIMIT 10 OFFSET 5",
        "UPSERT INTO k (KEY, VALUE) VALUES ($id, {\"a\": [1, 2.5, TRUE]}) RETURNING META().id",
        "UPDATE k USE KEYS :key SET a.b = a.b + 1 FOR v IN a.c WHEN v.d = 5 END UNSET e WHERE f BETWEEN 1 AND 2",
        "DELETE FROM k WHERE x IN [1, 2] OR y = (SELECT RAW MAX(z) FROM l)[0] LIMIT 1",
    };

    private final KeyspaceStore store;
    private final InstantSource clock;
    private final MemoryWatch memory;
    private final PlanCache cache = new PlanCache(CACHED_PLANS);
    private final PreparedStatements prepared = new PreparedStatements();
    private final Map<String, ActiveRequest> active = new ConcurrentHashMap<>();
    private final EngineTables tables;

    public QueryEngine(KeyspaceStore store, InstantSource clock) {
        this(store, clock, MemoryWatch.NONE);
    }

    public QueryEngine(KeyspaceStore store, InstantSource clock, MemoryWatch memory) {
        this.store = store;
        this.clock = clock;
        this.memory = memory;
        this.tables = new EngineTables(store, prepared, active);
    }

    /**
     * Parses and plans a statement; plans are cached by text.
     *
     * @throws QueryException if the text does not parse or names something that does not exist
     */
    public CompiledStatement prepare(String text) {
        CompiledStatement known = cache.get(text);
        if (known != null) {
            return known;
        }
        try {
            ParsedStatement parsed = StatementParser.parse(text);
            Statement resolved = StatementResolver.resolve(parsed.statement());
            CompiledStatement compiled = new CompiledStatement(
                    this, text, parsed, new IndexedPlans(indexes -> plan(resolved, text, indexes)));
            cache.put(text, compiled);
            return compiled;
        } catch (RuntimeException | StackOverflowError e) {
            throw Failures.of(e);
        }
    }

    /** Prepares and runs a statement; see {@link CompiledStatement#run}. */
    public Rows execute(String text, QueryOptions options) {
        return prepare(text).run(options);
    }

    /** Cancels a run by the id of its {@link Rows}; returns false if no such run exists. */
    public boolean cancel(String requestId) {
        ActiveRequest request = active.get(requestId);
        if (request == null) {
            return false;
        }
        request.execution().end(QueryException.cancelled());
        return true;
    }

    /**
     * Ends the run that has allocated most with {@link ErrorCode#MEMORY}; for a process whose heap is nearly full.
     * Returns the run, or empty if no statement runs.
     */
    public Optional<ActiveRequest> relieve() {
        Optional<ActiveRequest> largest = active.values().stream()
                .max(Comparator.comparingLong(request -> request.execution().allocated()));
        largest.ifPresent(request -> request.execution().end(QueryException.outOfMemory()));
        return largest;
    }

    /** Returns the running requests by id. */
    public Map<String, ActiveRequest> active() {
        return Map.copyOf(active);
    }

    /** Returns a prepared statement; throws if the name is unknown. */
    public CompiledStatement prepared(String name) {
        return prepare(prepared.text(name));
    }

    /** Parses statements of all kinds, so that the first request does not pay for the warm-up. */
    public void warmUp() {
        for (String text : WARM_UP) {
            prepare(text);
        }
    }

    // ---- plans

    private StatementPlan plan(Statement statement, String text, Indexes indexes) {
        return switch (statement) {
            case Statement.Explain explain -> explain(explain, text, indexes);
            case Statement.Prepare prepare -> prepare(prepare, indexes);
            case Statement.Execute execute -> new ExecutePlan(execute, this, tables);
            default -> new StatementPlanner(tables, indexes).plan(statement);
        };
    }

    private StatementPlan explain(Statement.Explain explain, String text, Indexes indexes) {
        Value shown = plan(explain.statement(), text, indexes).explain();
        Map<String, Value> row = new LinkedHashMap<>();
        row.put("plan", shown);
        row.put("text", Value.of(text));
        return new FixedRows(io.millrace.n1ql.value.ObjectValue.of(row), execution -> {});
    }

    static String nameOf(Statement.Prepare prepare) {
        return prepare.name() == null
                ? UUID.nameUUIDFromBytes(prepare.text().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .toString()
                : prepare.name();
    }

    private StatementPlan prepare(Statement.Prepare prepare, Indexes indexes) {
        String name = nameOf(prepare);
        StatementPlan planned = plan(prepare.statement(), prepare.text(), indexes);
        Map<String, Value> row = new LinkedHashMap<>();
        row.put("encoded_plan", Value.of(""));
        row.put("name", Value.of(name));
        row.put("operator", planned.explain());
        row.put("text", Value.of(prepare.text()));
        return new FixedRows(
                io.millrace.n1ql.value.ObjectValue.of(row),
                execution -> prepared.put(name, prepare.text(), prepare.force()));
    }

    /** A plan with one fixed row and an action that is carried out when it runs. */
    private record FixedRows(Value row, java.util.function.Consumer<Execution> action) implements StatementPlan {

        @Override
        public Cursor<Value> run(Execution execution) {
            action.accept(execution);
            var left = List.of(row).iterator();
            return () -> left.hasNext() ? left.next() : null;
        }

        @Override
        public Value explain() {
            return row;
        }

        @Override
        public boolean changes() {
            return false;
        }
    }

    // ---- runs

    Rows run(CompiledStatement statement, QueryOptions options) {
        CompiledStatement wanted = statement;
        QueryOptions own = options;
        if (statement.plan() instanceof ExecutePlan execute) {
            own = execute.options(options, execution(options));
            wanted = execute.wanted();
        }
        if (own.readonly() && wanted.changes()) {
            throw QueryException.of(
                    ErrorCode.READONLY, "The server or request is read-only and cannot accept this write statement.");
        }
        String id = UUID.randomUUID().toString();
        Execution execution = execution(own);
        if (statement.hinted() || wanted.hinted()) {
            execution.warn(
                    ErrorCode.IGNORED_WARNING,
                    "Optimizer hints in comments have no effect; write USE INDEX, USE HASH or USE NL after the term.");
        }
        active.put(id, new ActiveRequest(id, statement.text(), own.clientContextId(), clock.instant(), execution));
        try {
            return new Rows(id, execution, wanted.plan(execution).run(execution), () -> active.remove(id));
        } catch (RuntimeException | StackOverflowError e) {
            active.remove(id);
            throw Failures.of(e);
        }
    }

    private Execution execution(QueryOptions options) {
        return new Execution(
                store,
                options.rights(),
                options.parameters(),
                options.queryContext(),
                clock,
                options.timeout().toMillis(),
                options.preserveExpiry(),
                () -> memory.look(this));
    }

    /** A running request. */
    public static final class ActiveRequest {

        private final String id;
        private final String statement;
        private final @Nullable String clientContextId;
        private final Instant begun;
        private final Execution execution;

        ActiveRequest(
                String id, String statement, @Nullable String clientContextId, Instant begun, Execution execution) {
            this.id = id;
            this.statement = statement;
            this.clientContextId = clientContextId;
            this.begun = begun;
            this.execution = execution;
        }

        public String id() {
            return id;
        }

        public String statement() {
            return statement;
        }

        public @Nullable String clientContextId() {
            return clientContextId;
        }

        public Instant begun() {
            return begun;
        }

        Execution execution() {
            return execution;
        }
    }

    /** Limits the memory that statements use. Implementations are thread-safe. */
    @FunctionalInterface
    public interface MemoryWatch {

        /** Sets no limit. */
        MemoryWatch NONE = engine -> {};

        /**
         * Called by every run on its thread every few hundred rows; must be fast. May end runs, including the caller's;
         * see {@link QueryEngine#relieve}.
         */
        void look(QueryEngine engine);
    }
}
