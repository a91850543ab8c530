package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.consumer.DocumentName;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.lasthandled.LastHandledStore.Handled;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Retry;
import io.millrace.workerprotocol.Event;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the state of each document that a function handled last: unchanged updates can be skipped, and handlers
 * receive the previous document. A state is stored before its change counts as handled. After a failure nothing is
 * compared, so that the next update is not skipped. Thread-safe.
 */
final class LastHandled {

    /** First octet of a state: a digest follows, then the document if it is kept. */
    private static final byte COMPARABLE = 1;

    /** First octet of a state that no update is compared with: zeros follow, then the document. */
    private static final byte INCOMPARABLE = 2;

    private static final int DIGEST_BYTES = 16;
    private static final int STATE_BYTES = 1 + DIGEST_BYTES;
    private static final byte[] FORGET = new byte[0];
    private static final Logger LOG = LoggerFactory.getLogger(LastHandled.class);

    private final LastHandledStore store;
    private final CheckpointGroup group;
    private final Handling handling;
    private final IntToLongFunction epochs;
    private final Duration pause;
    private final Consumer<Event> handled;

    /** The newest change of each document that was handed out and is not remembered yet. */
    private final Map<String, Event> onTheWay = new ConcurrentHashMap<>();

    /** A change that has ended, and the state to remember; null leaves the stored state as it is. */
    private record Entry(Event event, @Nullable Handled state) {}

    // guarded by this
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private List<Entry> writing = List.of();
    private boolean closed;

    /**
     * @param epochs returns the epoch of an owned vbucket
     * @param pause before a failed write is repeated
     * @param handled receives changes that need not be delivered again
     */
    LastHandled(
            LastHandledStore store,
            CheckpointGroup group,
            Handling handling,
            IntToLongFunction epochs,
            Duration pause,
            Consumer<Event> handled) {
        this.store = store;
        this.group = group;
        this.handling = handling;
        this.epochs = epochs;
        this.pause = pause;
        this.handled = handled;
    }

    /**
     * The states that were handled before the changes of a page.
     *
     * @param states by document name; without documents that have a change in progress
     * @param underway changes in progress, by document name; they may have ended since
     */
    record Page(Map<String, byte[]> states, Map<String, Event> underway) {
        static final Page EMPTY = new Page(Map.of(), Map.of());
    }

    /** Looks up what was handled before the changes of a page. */
    Page recall(List<Mutation> page, Retry retry) throws InterruptedException {
        List<String> names = new ArrayList<>(page.size());
        Map<String, Event> underway = new HashMap<>();
        for (Mutation mutation : page) {
            String name = name(mutation.document());
            // read before the store is asked: a change that ends meanwhile may be missing in its answer
            Event previous = onTheWay.get(name);
            if (previous != null) {
                underway.put(name, previous);
            } else if (mutation.document().live() || handling.beforeImages()) {
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
        return new Page(states, underway);
    }

    /** Returns whether the body of a document is the one that was handled last. */
    boolean unchanged(Document document, Page before) {
        String name = name(document);
        byte[] state = before.states.get(name);
        return handling.skipUnchanged()
                && document.live()
                && state != null
                && !onTheWay.containsKey(name)
                && state[0] == COMPARABLE
                && Arrays.equals(state, 1, STATE_BYTES, digest(document.body()), 0, DIGEST_BYTES);
    }

    /** Returns the document before a change, null if it is not known. */
    byte @Nullable [] before(Document document, Page before) {
        return old(name(document), before);
    }

    /** Notes a change that is about to be handed out. Returns it with its before image if the function wants one. */
    Event dispatched(Event event, Page before) {
        String name = name(event);
        Event shown = handling.beforeImages() ? event.withOld(old(name, before)) : event;
        onTheWay.put(name, shown);
        return shown;
    }

    private byte @Nullable [] old(String name, Page before) {
        Event previous = onTheWay.get(name);
        if (previous == null) {
            previous = before.underway.get(name);
        }
        if (previous != null) {
            return kept(previous);
        }
        byte[] state = before.states.get(name);
        return state == null || state.length == STATE_BYTES
                ? null
                : Arrays.copyOfRange(state, STATE_BYTES, state.length);
    }

    /** Returns the document of a change if it is kept, otherwise null. */
    private byte @Nullable [] kept(Event event) {
        boolean kept = handling.beforeImages()
                && event.kind() == Event.Kind.MUTATION
                && !event.binary()
                && event.body().length <= HandlingLimits.MAX_OLD_DOCUMENT_BYTES;
        return kept ? event.body() : null;
    }

    /**
     * Notes a change that is not handed out, because the function made it itself or a filter that compares states leaves it out:
     * the state that the function handled last is outdated.
     */
    void passed(Event event) {
        onTheWay.put(name(event), event);
        remember(event, incomparable(kept(event)));
    }

    /** Stores the outcome of a change, then reports that it need not be delivered again. */
    void ended(Event event, boolean well) {
        Event newest = onTheWay.get(name(event));
        if (newest == null) {
            remember(event, null); // the function has changed the document since, which is stored already
        } else if (!well) {
            remember(event, incomparable(event.old()));
        } else if (newest == event && event.kind() == Event.Kind.MUTATION) {
            remember(event, comparable(event));
        } else {
            remember(event, incomparable(kept(event))); // a newer state of the document has been read
        }
    }

    private synchronized void remember(Event event, byte @Nullable [] state) {
        waiting.add(new Entry(
                event,
                state == null
                        ? null
                        : new Handled(event.vbucket(), epochs.applyAsLong(event.vbucket()), name(event), state)));
        if (writing.isEmpty()) {
            write();
        }
    }

    /** Writes what waits in one call; later states wait for its answer. */
    private void write() {
        List<Entry> next = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty()
                && next.size() < HandlingLimits.MAX_STATES_REMEMBERED
                && bytes < HandlingLimits.MAX_REMEMBERED_BYTES) {
            Entry entry = waiting.remove();
            next.add(entry);
            bytes += entry.state == null ? 0 : entry.state.state().length;
        }
        writing = next;
        if (!next.isEmpty()) {
            write(next, next.stream().map(Entry::state).filter(Objects::nonNull).toList());
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
                if (fenced == 0) { // otherwise another node owns the vbucket and handles these changes again
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

    /** Returns how many changes have ended and are not remembered yet. */
    synchronized int pending() {
        return waiting.size() + writing.size();
    }

    /** Waits until everything is stored; changes that are not stored by then are delivered again. */
    synchronized void awaitEnd(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!writing.isEmpty() && System.nanoTime() < end) {
            wait(10);
        }
        closed = true;
    }

    private static String name(Event event) {
        return DocumentName.of(event).text();
    }

    private static String name(Document document) {
        Keyspace keyspace = document.key().keyspace();
        return new DocumentName(
                        keyspace.scope(), keyspace.collection(), document.key().id())
                .text();
    }

    private byte[] comparable(Event event) {
        byte[] document = kept(event);
        byte[] state = state(COMPARABLE, document);
        System.arraycopy(digest(event.body()), 0, state, 1, DIGEST_BYTES);
        return state;
    }

    private static byte[] incomparable(byte @Nullable [] document) {
        return document == null ? FORGET : state(INCOMPARABLE, document);
    }

    private static byte[] state(byte format, byte @Nullable [] document) {
        byte[] state = new byte[STATE_BYTES + (document == null ? 0 : document.length)];
        state[0] = format;
        if (document != null) {
            System.arraycopy(document, 0, state, STATE_BYTES, document.length);
        }
        return state;
    }

    private static byte[] digest(byte[] body) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
