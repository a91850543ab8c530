package io.millrace.n1ql;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.plan.statement.StatementPlanner;
import io.millrace.n1ql.runtime.EngineFunctions;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Memory;
import io.millrace.n1ql.runtime.Sequences;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FunctionCheck;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.transaction.TransactionPlan;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs N1QL statements over a document store. Thread-safe; has no threads of its own: a statement runs on the thread
 * that asks for its rows, which may wait for the store.
 */
public final class QueryEngine {

    /** The most plans in the cache. */
    public static final int CACHED_PLANS = 1024;

    /** The most characters of texts whose plans are in the cache. A plan takes 14 to 120 bytes for each character. */
    static final int CACHED_CHARACTERS = 1 << 19;

    /** Statements that hold as many of these hold the same. */
    private static final long HELD_UNIT = 1 << 20;

    /** A statement that has allocated less has not filled the memory, and does not wait for those that have. */
    private static final long LIGHT_BYTES = 1 << 20;

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
    private final Memory shares;
    private final PlanCache cache = new PlanCache(CACHED_PLANS, CACHED_CHARACTERS);
    private final PreparedStatements prepared = new PreparedStatements();
    private final Map<String, ActiveRequest> active = new ConcurrentHashMap<>();
    private final RequestHistory history;
    private final Admission admission;
    private final EngineTables tables;
    private final Sequences sequences = new Sequences();
    private final FunctionCalls functions;
    private final EngineFunctions engineFunctions = new StatementFunctions(this);

    public QueryEngine(KeyspaceStore store, InstantSource clock) {
        this(store, clock, MemoryWatch.NONE);
    }

    public QueryEngine(KeyspaceStore store, InstantSource clock, MemoryWatch memory) {
        this(store, clock, memory, SlowRequests.DEFAULT, Admission.NONE);
    }

    public QueryEngine(
            KeyspaceStore store, InstantSource clock, MemoryWatch memory, SlowRequests slow, Admission admission) {
        this(store, clock, memory, slow, admission, ScriptFunctions.NONE, ServiceCatalog.NONE);
    }

    /**
     * @param scripts runs functions in JavaScript
     * @param service knows the users
     */
    public QueryEngine(
            KeyspaceStore store,
            InstantSource clock,
            MemoryWatch memory,
            SlowRequests slow,
            Admission admission,
            ScriptFunctions scripts,
            ServiceCatalog service) {
        this(store, clock, memory, slow, admission, scripts, service, Memory.ofHeap());
    }

    /** @param shares what one statement may hold */
    QueryEngine(
            KeyspaceStore store,
            InstantSource clock,
            MemoryWatch memory,
            SlowRequests slow,
            Admission admission,
            ScriptFunctions scripts,
            ServiceCatalog service,
            Memory shares) {
        this.functions = new FunctionCalls(
                scripts,
                (query, parsed) -> new IndexedPlans((indexes, measured) -> plan(query, parsed, "", indexes, measured)));
        this.admission = admission;
        this.shares = shares;
        this.store = store;
        this.clock = clock;
        this.memory = memory;
        this.history = new RequestHistory(slow);
        this.tables = new EngineTables(store, service, clock, prepared, active, history);
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
            checkFunctions(parsed);
            Statement resolved = StatementResolver.resolve(parsed.statement());
            CompiledStatement compiled = new CompiledStatement(
                    this,
                    text,
                    parsed,
                    resolved,
                    new IndexedPlans((indexes, measured) -> plan(resolved, parsed, text, indexes, measured)));
            cache.put(text, compiled);
            return compiled;
        } catch (RuntimeException | StackOverflowError e) {
            throw Failures.of(e);
        }
    }

    private void checkFunctions(ParsedStatement parsed) {
        if (parsed.statement() instanceof Statement.CreateFunction create) {
            functions.check(create); // its own calls are looked up when it runs: functions may call each other
            return;
        }
        for (Expr.UserCall call : parsed.userCalls()) {
            if (!FunctionCalls.exists(call.path(), store.functions())) {
                throw FunctionCheck.unknown(call.toString().toLowerCase(Locale.ROOT), call.place());
            }
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
     * Ends the run that holds most, and among equals the one that has allocated most, with {@link ErrorCode#MEMORY}; for a
     * process whose heap is nearly full. Returns the run, or empty if no statement runs.
     */
    public Optional<ActiveRequest> relieve() {
        Optional<ActiveRequest> largest = active.values().stream()
                .max(Comparator.<ActiveRequest>comparingLong(
                                request -> request.execution().held() / HELD_UNIT)
                        .thenComparing(request -> request.execution().allocated()));
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

    private StatementPlan plan(
            Statement statement, ParsedStatement parsed, String text, Indexes indexes, boolean measured) {
        return switch (statement) {
            case Statement.Explain explain -> explain(explain, parsed, text, indexes, measured);
            case Statement.Advise advise -> advise(advise, parsed, indexes);
            case Statement.Prepare prepare -> prepare(prepare, parsed, indexes);
            case Statement.Transaction transaction -> transaction(transaction);
            case Statement.Execute execute -> new ExecutePlan(execute, this, tables);
            default -> new StatementPlanner(tables, indexes, measured).plan(statement);
        };
    }

    private TransactionPlan transaction(Statement.Transaction transaction) {
        List<TransactionPlan.Step> steps = transaction.steps().stream()
                .map(step -> switch (step) {
                    case Statement.Transaction.Run run -> step(prepare(run.text()));
                    case Statement.Transaction.Savepoint savepoint ->
                        new TransactionPlan.Step.Savepoint(savepoint.name());
                    case Statement.Transaction.Back back -> new TransactionPlan.Step.Back(back.name());
                })
                .toList();
        return TransactionPlan.of(steps, transaction.commits());
    }

    private static TransactionPlan.Step step(CompiledStatement statement) {
        return new TransactionPlan.Step.Run(statement::plan, statement.changes());
    }

    private StatementPlan explain(
            Statement.Explain explain, ParsedStatement parsed, String text, Indexes indexes, boolean measured) {
        StatementPlan planned = plan(explain.statement(), parsed, text, indexes, measured || parsed.analyzes());
        return new OneRow(
                execution -> {
                    StatementNeeds.require(explain, execution, this);
                    Map<String, Value> row = new LinkedHashMap<>();
                    if (parsed.analyzes()) {
                        row.put("resultCount", Value.of(runWholly(planned, execution)));
                    }
                    Value shown = planned.explain(execution);
                    if (!parsed.hints().isEmpty()) {
                        row.put(
                                "optimizer_hints",
                                HintReport.of(parsed.hints(), shown).value());
                    }
                    row.put("plan", shown);
                    row.put("text", Value.of(text));
                    return io.millrace.n1ql.value.ObjectValue.of(row);
                },
                planned,
                parsed.analyzes() && planned.changes());
    }

    /** Runs a statement for EXPLAIN ANALYZE; returns how many rows it gives. */
    private static long runWholly(StatementPlan plan, Execution execution) {
        long rows = 0;
        try (Cursor<Value> cursor = plan.run(execution)) {
            while (cursor.next() != null) {
                rows++;
                execution.step();
            }
        }
        return rows;
    }

    private StatementPlan advise(Statement.Advise advise, ParsedStatement parsed, Indexes indexes) {
        StatementPlan planned = plan(advise.statement(), parsed, advise.text(), indexes, false);
        return new OneRow(
                execution -> {
                    StatementNeeds.require(advise, execution, this);
                    Map<String, Value> row = new LinkedHashMap<>();
                    row.put("#operator", Value.of("Advise"));
                    row.put("advice", IndexAdvice.of(advise.statement(), planned.explain(execution), execution));
                    row.put("query", Value.of(advise.text()));
                    return io.millrace.n1ql.value.ObjectValue.of(row);
                },
                planned,
                false);
    }

    static String nameOf(Statement.Prepare prepare) {
        return prepare.name() == null ? PreparedStatements.generatedName(prepare.text()) : prepare.name();
    }

    private StatementPlan prepare(Statement.Prepare prepare, ParsedStatement parsed, Indexes indexes) {
        String name = nameOf(prepare);
        StatementPlan planned = plan(prepare.statement(), parsed, prepare.text(), indexes, false);
        return new OneRow(
                execution -> {
                    StatementNeeds.require(prepare, execution, this);
                    prepared.put(name, prepare.text(), prepare.force(), execution.rights());
                    Map<String, Value> row = new LinkedHashMap<>();
                    row.put("encoded_plan", Value.of(""));
                    row.put("name", Value.of(name));
                    row.put("operator", planned.explain(execution));
                    row.put("text", Value.of(prepare.text()));
                    return io.millrace.n1ql.value.ObjectValue.of(row);
                },
                planned,
                false);
    }

    /** A plan with one row. */
    private record OneRow(Function<Execution, Value> row, StatementPlan explained, boolean changes)
            implements StatementPlan {

        @Override
        public Cursor<Value> run(Execution execution) {
            var left = List.of(row.apply(execution)).iterator();
            return () -> left.hasNext() ? left.next() : null;
        }

        @Override
        public Value explain(Execution execution) {
            return explained.explain(execution);
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
        Admission.Ticket ticket = admission.ticket();
        execution.checking(() -> {
            if (execution.allocated() > LIGHT_BYTES) {
                memory.look(this);
            }
            ticket.look(execution);
        });
        execution.idling(ticket::pause);
        ActiveRequest request =
                new ActiveRequest(id, statement.text(), own, isTransaction(wanted, own), clock.instant(), execution);
        active.put(id, request);
        try {
            wanted.warnOfHints(execution);
            StatementPlan found = own.profiled() ? wanted.measured(execution) : wanted.plan(execution);
            StatementPlan plan = own.atomic() ? atomic(found, wanted) : found;
            CompiledStatement run = wanted;
            return new Rows(id, execution, plan, ticket, () -> run.warnOfFields(execution), rows -> {
                active.remove(id);
                history.ended(request.ended(rows.count(), rows.failure(), rows.wholly()));
            });
        } catch (RuntimeException | StackOverflowError e) {
            ticket.pause();
            execution.closeAll();
            active.remove(id);
            QueryException failure = Failures.of(e);
            history.ended(request.ended(0, failure, false));
            throw failure;
        }
    }

    private static boolean isTransaction(CompiledStatement statement, QueryOptions options) {
        return statement.plan() instanceof TransactionPlan || options.atomic() && statement.changes();
    }

    private static StatementPlan atomic(StatementPlan plan, CompiledStatement statement) {
        if (plan instanceof TransactionPlan || !plan.changes()) {
            return plan;
        }
        if (!statement.changesDocuments()) {
            throw QueryException.of(
                    ErrorCode.NO_TRANSACTIONS,
                    "tximplicit is for INSERT, UPSERT, UPDATE, DELETE and MERGE of documents; send this statement without it."
                            + " Nothing was changed.");
        }
        return TransactionPlan.of(plan);
    }

    private Execution execution(QueryOptions options) {
        Execution execution = new Execution(
                store,
                options.rights(),
                options.parameters(),
                options.queryContext(),
                clock,
                options.timeout().isZero() ? 0 : Math.max(1, options.timeout().toMillis()), // 0 turns the time-out off
                options.preserveExpiry(),
                shares);
        execution.calling(functions, sequences, engineFunctions);
        return execution;
    }

    /** A running request. */
    public static final class ActiveRequest {

        private final String id;
        private final String statement;
        private final QueryOptions options;
        private final boolean transaction;
        private final Instant begun;
        private final long begunNanos = System.nanoTime();
        private final Execution execution;

        ActiveRequest(
                String id,
                String statement,
                QueryOptions options,
                boolean transaction,
                Instant begun,
                Execution execution) {
            this.id = id;
            this.statement = statement;
            this.options = options;
            this.transaction = transaction;
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
            return options.clientContextId();
        }

        boolean transaction() {
            return transaction;
        }

        Duration timeout() {
            return options.timeout();
        }

        public Instant begun() {
            return begun;
        }

        /** Returns how long it has been running. */
        public Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - begunNanos);
        }

        /** Returns who made it, empty if that is not known. */
        public String user() {
            return execution.rights().user().name();
        }

        CompletedRequest ended(long rows, @Nullable QueryException failure, boolean wholly) {
            return new CompletedRequest(
                    id,
                    statement,
                    clientContextId(),
                    user(),
                    begun,
                    elapsed(),
                    rows,
                    execution.mutations(),
                    execution.sorted(),
                    failure,
                    wholly);
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
         * Called by every run that has allocated some memory, on its thread, every few hundred rows; must be fast. May end runs,
         * including the caller's; see {@link QueryEngine#relieve}.
         */
        void look(QueryEngine engine);
    }
}
