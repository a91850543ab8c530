package io.millrace.eventing.functions;

import io.millrace.eventing.configuration.MetakvCalls;
import io.millrace.eventing.configuration.MetakvWatch;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.metakv.MetakvChange;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions in MetaKV, with a mirror in memory that follows every change. Reads use the mirror and work without
 * MetaKV; writes are compare-and-set on the entry's rev. Blocks; must not be called on event loops.
 */
final class FunctionStore implements AutoCloseable {

    static final String DIRECTORY = "/eventing/functions/";

    private static final Logger LOG = LoggerFactory.getLogger(FunctionStore.class);

    /** More than the expected number of concurrent writers of one function. */
    private static final int MAX_ATTEMPTS = 20;

    /** How many replaced revs are remembered, so that late events about them are recognised. */
    private static final int REPLACED_REVS = 16;

    /** Of how many functions, existing and deleted, these are remembered. */
    private static final int REPLACED_PATHS = 4096;

    private record Versioned(StoredFunction function, String rev) {}

    private final MetakvClient metakv;
    private final RebalanceGuard guard;
    private final Map<String, Versioned> mirror = new TreeMap<>();
    /** The latest replaced revs of the paths that changed last. */
    private final Map<String, Deque<String>> replaced = remembered();

    /** The rev that an entry had when the watch told of its deletion. */
    private final Map<String, String> gone = remembered();

    private final List<Consumer<FunctionName>> listeners = new CopyOnWriteArrayList<>();
    private final MetakvWatch watch;
    private final CompletableFuture<Void> known = new CompletableFuture<>();

    FunctionStore(MetakvClient metakv, RebalanceGuard guard) {
        this.metakv = metakv;
        this.watch = new MetakvWatch(metakv, DIRECTORY, this::take);
        this.guard = guard;
    }

    private static <V> Map<String, V> remembered() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REPLACED_PATHS;
            }
        };
    }

    /**
     * Adds a listener that receives the name of every function that was created, changed or deleted; it must not block.
     */
    void listen(Consumer<FunctionName> listener) {
        listeners.add(listener);
    }

    void start() {
        watch.start();
    }

    @Override
    public void close() {
        watch.close();
    }

    /** Completes when the mirror contains everything that MetaKV contained when this store started. */
    CompletableFuture<Void> known() {
        return known.copy();
    }

    /** Returns whether that is so. */
    boolean ready() {
        return known.isDone();
    }

    /** Fails with ERR_GET_CONFIG while the functions have not been read yet. */
    private void requireReady() {
        if (!ready()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_GET_CONFIG,
                    "The functions have not been read from MetaKV yet. Check that metakv-service is running, then try"
                            + " again.");
        }
    }

    Optional<StoredFunction> find(FunctionName name) {
        requireReady();
        synchronized (this) {
            return Optional.ofNullable(mirror.get(path(name))).map(Versioned::function);
        }
    }

    /** Returns the functions in order of their names. */
    Collection<StoredFunction> all() {
        requireReady();
        synchronized (this) {
            return mirror.values().stream().map(Versioned::function).toList();
        }
    }

    /**
     * Changes a function by compare-and-set.
     *
     * @param change receives the function, or null if it does not exist, and returns its new form: the same for no
     *     change, null to delete it. May be called several times; an exception ends the attempt
     * @return the new form of the function, or null when it was deleted or did not exist
     */
    @Nullable
    StoredFunction change(FunctionName name, Function<@Nullable StoredFunction, @Nullable StoredFunction> change) {
        requireReady();
        String path = path(name);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Versioned before = versioned(path);
            StoredFunction after = change.apply(before == null ? null : before.function());
            if (after == null ? before == null : before != null && after.equals(before.function())) {
                return after;
            }
            guard.check(name, before == null ? null : before.function(), after);
            WriteOutcome outcome = MetakvCalls.write(write(path, before, after));
            if (outcome instanceof WriteOutcome.Written(String rev)) {
                remember(name, path, before, after == null ? null : new Versioned(after, rev));
                return after;
            }
            refresh(name, path);
        }
        throw FunctionsException.of(
                ErrorCode.ERR_SAVE_APP_PS,
                "Function: %s is being changed by other requests; try again.".formatted(name));
    }

    /**
     * Changes a function that is still in a state.
     *
     * @param change as in {@link #change}; not called when the function has left the state
     * @return the new form of the function, or nothing when it had left the state
     */
    Optional<StoredFunction> move(FunctionName name, FunctionState from, UnaryOperator<StoredFunction> change) {
        AtomicReference<@Nullable StoredFunction> changed = new AtomicReference<>();
        change(name, function -> {
            boolean still = function != null && function.state().equals(from);
            changed.set(still ? change.apply(function) : null);
            return still ? changed.get() : function;
        });
        Optional<StoredFunction> moved = Optional.ofNullable(changed.get());
        moved.map(function -> function.state().label())
                .filter(to -> !to.equals(from.label()))
                .ifPresent(to -> LOG.info("event=state_changed function={} from={} to={}", name, from.label(), to));
        return moved;
    }

    /** Returns former forms of a function, newest first, as {@link MetakvClient#history} does. */
    List<MetakvChange> history(FunctionName name, long below, int max) {
        return Objects.requireNonNullElse(MetakvCalls.read(metakv.history(path(name), below, max)), List.of());
    }

    private reactor.core.publisher.Mono<WriteOutcome> write(
            String path, @Nullable Versioned before, @Nullable StoredFunction after) {
        if (after == null) {
            return metakv.delete(path, before == null ? "" : before.rev());
        }
        byte[] value = after.toBytes();
        return before == null ? metakv.add(path, value) : metakv.set(path, value, before.rev());
    }

    private synchronized @Nullable Versioned versioned(String path) {
        return mirror.get(path);
    }

    /** Adds a write of this process to the mirror, so that clients see it as soon as they are answered. */
    private void remember(FunctionName name, String path, @Nullable Versioned before, @Nullable Versioned after) {
        if (after != null) {
            put(path, after);
        } else if (before != null) {
            remove(path, before.rev());
        }
        notifyListeners(name);
    }

    /** Reads one entry again after another process has changed it and before the watch reports that. */
    private void refresh(FunctionName name, String path) {
        MetakvEntry entry = MetakvCalls.read(metakv.get(path));
        Versioned read = entry == null ? null : parsed(entry);
        if (read != null) {
            put(path, read);
        } else {
            synchronized (this) {
                mirror.remove(path);
            }
        }
        notifyListeners(name);
    }

    /**
     * Returns false when the value is older than the one in the mirror: others may have replaced it before its writer
     * added it.
     */
    private synchronized boolean put(String path, Versioned value) {
        if (replaced.getOrDefault(path, new ArrayDeque<>()).contains(value.rev())) {
            return false;
        }
        Versioned before = mirror.put(path, value);
        if (before != null && !before.rev().equals(value.rev())) {
            replaced(path, before.rev());
        }
        return true;
    }

    /**
     * Takes a change that the watch tells. The very entry whose deletion it told before is not a late event: the history in which it
     * was deleted was given up, as when Redis was replaced for a while.
     */
    private synchronized boolean told(String path, Versioned value) {
        if (value.rev().equals(gone.remove(path))) {
            replaced.remove(path);
        }
        return put(path, value);
    }

    /** Removes a deleted function, unless it exists again. */
    private synchronized void remove(String path, String rev) {
        Versioned now = mirror.get(path);
        if (now != null && now.rev().equals(rev)) {
            mirror.remove(path);
            replaced(path, rev);
        }
    }

    private void replaced(String path, String rev) {
        Deque<String> revs = replaced.computeIfAbsent(path, absent -> new ArrayDeque<>());
        revs.addLast(rev);
        if (revs.size() > REPLACED_REVS) {
            revs.removeFirst();
        }
    }

    private void take(MetakvEvent event) {
        switch (event) {
            case MetakvEvent.Changed(MetakvEntry entry) -> {
                Versioned read = parsed(entry);
                if (read != null && told(entry.path(), read) && ready()) { // none can be found before
                    notifyListeners(read.function().name());
                }
            }
            case MetakvEvent.Deleted(String path) -> {
                Versioned deleted;
                synchronized (this) {
                    deleted = mirror.remove(path);
                    if (deleted != null) { // a write of this process that is answered late does not bring it back
                        replaced(path, deleted.rev());
                        gone.put(path, deleted.rev());
                    }
                }
                if (deleted != null) {
                    notifyListeners(deleted.function().name());
                }
            }
            case MetakvEvent.Ready() -> {
                known.complete(null);
                LOG.info("event=functions_known functions={}", all().size());
                all().forEach(function -> notifyListeners(function.name()));
            }
        }
    }

    private static @Nullable Versioned parsed(MetakvEntry entry) {
        try {
            return new Versioned(StoredFunction.fromBytes(entry.value()), entry.rev());
        } catch (IllegalArgumentException unreadable) {
            LOG.error("event=entry_unreadable path={} reason=\"{}\"", entry.path(), unreadable.getMessage());
            return null;
        }
    }

    private void notifyListeners(FunctionName name) {
        listeners.forEach(listener -> listener.accept(name));
    }

    private static String path(FunctionName name) {
        return DIRECTORY + name;
    }
}
