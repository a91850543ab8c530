package io.millrace.n1ql.runtime;

import com.google.re2j.Pattern;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a statement. Used by the thread that runs it, except for {@link #end} and {@link #allocated}, which any
 * thread may call.
 */
public final class Execution implements FunctionContext {

    /** How many rows or elements are processed between two checks of the clock. */
    private static final int CHECK_EVERY = 256;
    /** A wait for the store that is longer than this lets other statements compute meanwhile. */
    private static final long BRIEF_MILLIS = 20;
    /** The most errors that are reported; more do not help to find the cause. */
    private static final int MOST_ERRORS = 16;

    private KeyspaceStore store;
    private final StatementRights rights;
    private final Map<String, Value> parameters;
    private final @Nullable QueryContext queryContext;
    private final InstantSource clock;
    private final Instant requestTime;
    private final long timeoutMillis;
    private final long deadlineNanos;
    private final boolean preserveExpiry;
    private Runnable checking = () -> {};
    private Runnable idling = () -> {};
    private UserFunctions functions = UserFunctions.NONE;
    private Sequences sequences = new Sequences();
    private EngineFunctions engine = EngineFunctions.NONE;
    private Map<FunctionDefinition.Name, Optional<FunctionDefinition>> definitions = new HashMap<>();
    private int depth;
    private final Memory memory;
    private Holdings holdings;
    private final FieldSightings sightings = new FieldSightings();
    private final Map<String, QueryException> warnings = new LinkedHashMap<>();
    private final List<QueryException> errors = new ArrayList<>();
    private final Map<Object, Value> results = new HashMap<>();
    private final Patterns patterns = new Patterns();
    private Set<Runnable> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Object, Object> memos = new IdentityHashMap<>();
    /** What the statement changes: it may read them for that without being allowed to return them. */
    private final Set<KeyspaceName> changed = new HashSet<>();

    private final Allocation allocation = new Allocation();
    private volatile @Nullable QueryException ending;
    private volatile @Nullable CompletableFuture<?> awaited;
    private int sinceCheck;
    private long mutations;
    private long sorted;

    public Execution(
            KeyspaceStore store,
            StatementRights rights,
            Map<String, Value> parameters,
            @Nullable QueryContext queryContext,
            InstantSource clock,
            long timeoutMillis,
            boolean preserveExpiry,
            Memory memory) {
        this.memory = memory;
        this.holdings = new Holdings(memory, null);
        this.store = store;
        this.rights = rights;
        this.parameters = parameters;
        this.queryContext = queryContext;
        this.clock = clock;
        this.requestTime = clock.instant();
        this.timeoutMillis = timeoutMillis;
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.preserveExpiry = preserveExpiry;
    }

    /** Returns a run without documents and parameters, to compute constants. */
    public static Execution ofConstants() {
        return ofConstants(0);
    }

    /** Returns such a run that ends after a time; 0 for none. */
    public static Execution ofConstants(long timeoutMillis) {
        return new Execution(
                new MemoryKeyspaces(),
                StatementRights.ALL,
                Map.of(),
                null,
                InstantSource.system(),
                timeoutMillis,
                false,
                Memory.ofHeap());
    }

    public KeyspaceStore store() {
        return store;
    }

    /** Begins another statement of the same run, which reads and changes the documents of this store. */
    public void continueWith(KeyspaceStore documents) {
        store = documents;
        changed.clear();
        results.clear();
        memos.clear();
    }

    public StatementRights rights() {
        return rights;
    }

    /** Throws if the run may not do this with a keyspace. */
    public void require(Need need, KeyspaceName name) {
        if (need == Need.SELECT && changed.contains(name)) {
            return;
        }
        if (!rights.allows(need, name)) {
            throw QueryException.notAllowed(need, name, rights);
        }
        if (need != Need.SELECT) {
            changed.add(name);
        }
    }

    /** Returns whether the statement changes documents. */
    public boolean isChanging() {
        return !changed.isEmpty();
    }

    /** Throws if the run may not read and end requests of others and prepared statements. */
    public void requireSystem() {
        if (!rights.allowsSystem()) {
            throw QueryException.systemNotAllowed(rights);
        }
    }

    public @Nullable QueryContext queryContext() {
        return queryContext;
    }

    public boolean preserveExpiry() {
        return preserveExpiry;
    }

    /** Returns a parameter of the request; throws if it has no value. */
    public Value parameter(String name) {
        Value value = parameters.get(name);
        if (value == null) {
            throw QueryException.of(
                    ErrorCode.EVALUATION,
                    "Error evaluating expression - cause: No value for named parameter: $" + name);
        }
        return value;
    }

    /**
     * Sets what calls user-defined functions, without which there are none, what counts the values of sequences, and what
     * computes functions of the engine.
     */
    public void calling(UserFunctions caller, Sequences counts, EngineFunctions computer) {
        functions = caller;
        sequences = counts;
        engine = computer;
    }

    @Override
    public Value engineFunction(String name, Value[] args) {
        return engine.call(name, args, this);
    }

    /** Returns the next value of a sequence, or the previous one. */
    public long sequenceValue(List<String> path, boolean next) {
        return sequences.value(path, next, this);
    }

    /** Returns what calls user-defined functions. */
    public UserFunctions functions() {
        return functions;
    }

    /** Calls a user-defined function. */
    public Value call(List<String> path, Value[] args) {
        return functions.call(path, args, this);
    }

    /** Returns a function, or null if it does not exist. It is looked up once, so that a run never sees it replaced. */
    public @Nullable FunctionDefinition function(
            FunctionDefinition.Name name, Function<FunctionDefinition.Name, @Nullable FunctionDefinition> find) {
        return definitions
                .computeIfAbsent(name, wanted -> Optional.ofNullable(find.apply(wanted)))
                .orElse(null);
    }

    /** Returns how many calls of user-defined functions this run is inside of. */
    public int depth() {
        return depth;
    }

    /**
     * Returns the run of a call: it has the time, the rights and the memory of this one, and warns through it. What it still
     * holds when the call has ended is released by {@link #release}.
     *
     * @param context the scope in which the function looks up names
     */
    public Execution inside(Map<String, Value> arguments, @Nullable QueryContext context) {
        Execution inner =
                new Execution(store, rights, arguments, context, () -> requestTime, 0, preserveExpiry, memory);
        inner.holdings = new Holdings(memory, holdings);
        inner.checking(this::check);
        inner.open = open;
        inner.idling(() -> idling.run());
        inner.functions = functions;
        inner.sequences = sequences;
        inner.engine = engine;
        inner.definitions = definitions;
        inner.depth = depth + 1;
        return inner;
    }

    /** Returns which fields the documents had that the run has read. */
    public FieldSightings sightings() {
        return sightings;
    }

    /** Returns the cached results of subqueries that do not depend on a row. */
    public Map<Object, Value> results() {
        return results;
    }

    /** Updates a value that is kept for the run: the function receives the previous value for the key. */
    public Object memo(Object key, UnaryOperator<@Nullable Object> refresh) {
        Object kept = refresh.apply(memos.get(key));
        memos.put(key, kept);
        return kept;
    }

    // ---- time and cancellation

    /** Ends the run with this error, from any thread; the run stops waiting. */
    public void end(QueryException why) {
        ending = why;
        CompletableFuture<?> waited = awaited;
        if (waited != null) {
            waited.cancel(false);
        }
    }

    /** Returns how many bytes the run has allocated, much of which may be garbage. */
    public long allocated() {
        return allocation.bytes();
    }

    /** Sets what each {@link #check} does besides; it may wait. To be called before the run begins. */
    public void checking(Runnable more) {
        checking = more;
    }

    /** Sets what is done when the store keeps the run waiting, before it waits on. To be called before the run begins. */
    public void idling(Runnable more) {
        idling = more;
    }

    @Override
    public void check() {
        allocation.here();
        checking.run();
        QueryException why = ending;
        if (why != null) {
            throw why;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw QueryException.cancelled();
        }
        if (timeoutMillis > 0 && System.nanoTime() - deadlineNanos > 0) {
            throw QueryException.timeout(timeoutMillis);
        }
    }

    /** Like {@link #check}, but cheap enough to call for every row: checks the clock only now and then. */
    public void step() {
        if (++sinceCheck >= CHECK_EVERY) {
            sinceCheck = 0;
            check();
        }
    }

    /** Waits for the store, at most until the deadline. */
    public <T> T await(CompletableFuture<T> future) {
        if (future.isDone()) {
            return result(future);
        }
        awaited = future;
        check();
        try {
            return answer(future);
        } catch (TimeoutException e) {
            throw QueryException.timeout(timeoutMillis);
        } catch (CancellationException e) {
            throw cancelled();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw QueryException.cancelled();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            awaited = null;
        }
    }

    private <T> T answer(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return future.get(Math.min(BRIEF_MILLIS, millisLeft()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            idling.run();
            return future.get(millisLeft(), TimeUnit.MILLISECONDS);
        }
    }

    private long millisLeft() {
        return timeoutMillis > 0
                ? TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()) + 1
                : Long.MAX_VALUE;
    }

    private <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CancellationException e) {
            throw cancelled();
        } catch (java.util.concurrent.CompletionException e) {
            throw failure(e.getCause());
        }
    }

    private QueryException cancelled() {
        QueryException why = ending;
        return why == null ? QueryException.cancelled() : why;
    }

    private static QueryException failure(@Nullable Throwable cause) {
        return cause instanceof QueryException known
                ? known
                : QueryException.of(ErrorCode.INTERNAL, "Internal error: " + cause);
    }

    // ---- warnings and errors

    @Override
    public void warn(ErrorCode code, String message) {
        warnings.putIfAbsent(code + message, QueryException.of(code, message));
    }

    /** Passes on a warning of a function that the run has called. */
    public void warn(QueryException warning) {
        warnings.putIfAbsent(warning.code() + warning.getMessage(), warning);
    }

    /** Records an error of one row that does not affect other rows; too many errors end the run. */
    public void fail(QueryException error) {
        errors.add(error);
        if (errors.size() >= MOST_ERRORS) {
            throw error;
        }
    }

    public List<QueryException> errors() {
        return errors;
    }

    public List<QueryException> warnings() {
        return new ArrayList<>(warnings.values());
    }

    public void countMutation() {
        mutations++;
    }

    public long mutations() {
        return mutations;
    }

    /** Sets the number of mutations back to what it was before statements that are undone. */
    public void mutations(long before) {
        mutations = before;
    }

    // ---- memory

    /** Keeps what closes a reader until the reader {@link #closed is closed}; a plan may stop reading without closing it. */
    public void closeAtEnd(Runnable close) {
        open.add(close);
    }

    /** Records that a reader is closed. */
    public void closed(Runnable close) {
        open.remove(close);
    }

    /** Closes all readers that are still open. To be called when the run has ended. */
    public void closeAll() {
        List.copyOf(open).forEach(Runnable::run);
    }

    public Memory memory() {
        return memory;
    }

    /** Records that the run holds so many bytes more, or less; ends it if these are too many. */
    public void hold(long bytes) {
        holdings.hold(bytes);
    }

    /** Returns about how many bytes the run holds; any thread may ask. */
    public long held() {
        return holdings.held();
    }

    /** Records that the run holds nothing any more. */
    public void release() {
        holdings.hold(-holdings.held());
    }

    /** Records that the files of the run have so many bytes more, or less; ends it if these are too many. */
    public void countSpilled(long bytes) {
        holdings.countSpilled(bytes);
    }

    public void countSorted(long rows) {
        sorted += rows;
    }

    public long sorted() {
        return sorted;
    }

    // ---- for functions

    @Override
    public Instant requestTime() {
        return requestTime;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }

    @Override
    public RandomGenerator random() {
        return RandomGenerator.getDefault();
    }

    @Override
    public @Nullable Pattern pattern(String regex) {
        return patterns.get(regex);
    }
}
