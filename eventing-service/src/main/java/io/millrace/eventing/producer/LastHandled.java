package io.millrace.eventing.producer;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Mutation;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.LastHandledStore;
import io.millrace.eventing.checkpoint.LastHandledStore.Handled;
import io.millrace.workerlink.Event;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which state of each document a function has handled last, so that updates that change nothing can be left out. A state
 * is remembered before its change counts as handled; one whose handling failed is forgotten, so that the next update
 * is not left out. Thread-safe.
 */
final class LastHandled {

    private static final byte FORMAT = 1;
    private static final int DIGEST_BYTES = 16;
    private static final byte[] FORGET = new byte[0];
    private static final Logger LOG = LoggerFactory.getLogger(LastHandled.class);

    private final LastHandledStore store;
    private final CheckpointGroup group;
    private final IntToLongFunction epochs;
    private final Duration pause;
    private final Consumer<Event> handled;

    /** Changes by document that were handed out and are not remembered yet; the newest of each. */
    private final Map<String, Event> onTheWay = new ConcurrentHashMap<>();

    private record Entry(Event event, Handled state) {}

    // guarded by this
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private List<Entry> writing = List.of();
    private boolean closed;

    /**
     * @param epochs tells with which epoch a vbucket is owned
     * @param pause before a write is repeated that failed
     * @param handled hears of changes that need not come again
     */
    LastHandled(
            LastHandledStore store,
            CheckpointGroup group,
            IntToLongFunction epochs,
            Duration pause,
            Consumer<Event> handled) {
        this.store = store;
        this.group = group;
        this.epochs = epochs;
        this.pause = pause;
        this.handled = handled;
    }

    /**
     * What was handled before the changes of a page.
     *
     * @param states by the names of documents; of what is on the way nothing
     */
    record Page(Map<String, byte[]> states) {
        static final Page EMPTY = new Page(Map.of());
    }

    /** Looks up what was handled before the changes of a page. */
    Page recall(List<Mutation> page, Retry retry) throws InterruptedException {
        List<String> names = new ArrayList<>(page.size());
        for (Mutation mutation : page) {
            String name = name(mutation.document().key());
            // asked before the store: what ends meanwhile may not be in its answer
            if (mutation.document().live() && !onTheWay.containsKey(name)) {
                names.add(name);
            }
        }
        Map<String, byte[]> states = new HashMap<>();
        if (!names.isEmpty()) {
            List<byte @Nullable []> found = retry.call("recall", () -> store.recall(group, names));
            for (int i = 0; i < names.size(); i++) {
                byte[] state = found.get(i);
                if (state != null) {
                    states.put(names.get(i), state);
                }
            }
        }
        return new Page(states);
    }

    /** Returns whether a document is as it was when it was handled last. */
    boolean unchanged(Document document, Page before) {
        String name = name(document.key());
        byte[] state = before.states.get(name);
        return document.live()
                && state != null
                && !onTheWay.containsKey(name)
                && Arrays.equals(state, state(document.body()));
    }

    /** Notes a change that is about to be handed out. */
    void dispatched(Event event) {
        onTheWay.put(name(event), event);
    }

    /** Notes a change that the function made itself: what it handled before is not the newest state any more. */
    void suppressed(Event event) {
        dispatched(event);
        ended(event, false);
    }

    /** Remembers the outcome of a change, and says then that it needs not come again. */
    synchronized void ended(Event event, boolean well) {
        String name = name(event);
        // with a later change behind it, maybe one of the function itself, it is not what the document was last
        boolean last = onTheWay.get(name) == event;
        byte[] state = well && last && event.kind() == Event.Kind.MUTATION ? state(event.body()) : FORGET;
        waiting.add(new Entry(event, new Handled(event.vbucket(), epochs.applyAsLong(event.vbucket()), name, state)));
        if (writing.isEmpty()) {
            write();
        }
    }

    /** Writes what waits, in one call; what comes meanwhile waits for its answer. */
    private void write() {
        List<Entry> next = new ArrayList<>();
        while (!waiting.isEmpty() && next.size() < HandlingLimits.MAX_STATES_REMEMBERED) {
            next.add(waiting.poll());
        }
        writing = next;
        if (!next.isEmpty()) {
            write(next, next.stream().map(Entry::state).toList());
        }
    }

    private void write(List<Entry> entries, List<Handled> states) {
        store.remember(group, states).whenComplete((fenced, failure) -> {
            if (failure != null) {
                LOG.warn("event=remember_failed function={} reason=\"{}\"", group.functionId(), failure.toString());
                repeat(entries, states);
                return;
            }
            for (Entry entry : entries) {
                onTheWay.remove(name(entry.event), entry.event);
                if (fenced == 0) { // otherwise another node handles what is not handled for sure
                    handled.accept(entry.event);
                }
            }
            synchronized (this) {
                write();
                notifyAll();
            }
        });
    }

    private void repeat(List<Entry> entries, List<Handled> states) {
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
                .execute(() -> {
                    synchronized (this) {
                        if (closed) {
                            writing = List.of();
                            waiting.clear();
                            notifyAll();
                            return;
                        }
                    }
                    write(entries, states);
                });
    }

    /** Waits until everything is remembered; what is not by then comes again. */
    synchronized void awaitEnd(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!writing.isEmpty() && System.nanoTime() < end) {
            wait(10);
        }
        closed = true;
    }

    private static String name(Event event) {
        return name(event.scope(), event.collection(), event.id());
    }

    private static String name(DocumentKey key) {
        return name(key.keyspace().scope(), key.keyspace().collection(), key.id());
    }

    private static String name(String scope, String collection, String id) {
        boolean standard = scope.equals("_default") && collection.equals("_default");
        return (standard ? "" : scope + '.' + collection) + '/' + id;
    }

    private static byte[] state(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            byte[] state = new byte[1 + DIGEST_BYTES];
            state[0] = FORMAT;
            System.arraycopy(digest, 0, state, 1, DIGEST_BYTES);
            return state;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
