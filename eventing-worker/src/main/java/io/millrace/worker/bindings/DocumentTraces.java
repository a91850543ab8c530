package io.millrace.worker.bindings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.handler.host.TimerCall;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Commands;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.Status;
import io.millrace.timers.TimerTrace;
import io.millrace.worker.bindings.WriteBehind.StoreTimeout;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records in documents which document timers wait for them, and removes that when the timers have fired. Belongs to
 * one thread; see {@code RATIONALE.md}, "Traces of document timers".
 */
final class DocumentTraces {

    private static final int ATTEMPTS = 5;

    private final @Nullable Keyspace documents;
    private final String instance;
    private final String path;
    private final WriteBehind writes;
    private final Counters counters;

    /** What the current invocation has created: traces by callback by document. */
    private final Map<String, Map<String, TimerTrace>> created = new LinkedHashMap<>();

    DocumentTraces(WorkerSetup setup, WriteBehind writes, Counters counters) {
        String place = setup.handler().timers().documents();
        int dot = place.indexOf('.');
        this.documents =
                dot < 0 ? null : new Keyspace(setup.sourceBucket(), place.substring(0, dot), place.substring(dot + 1));
        this.instance = setup.instance();
        this.path = TimerTrace.ATTRIBUTE + ".`" + setup.handler().timers().functionId() + '`';
        this.writes = writes;
        this.counters = counters;
    }

    /** Notes a timer that was created. */
    void created(TimerCall timer, String reference) {
        if (documents != null && timer.ofDocument()) {
            created.computeIfAbsent(reference, id -> new LinkedHashMap<>())
                    .put(timer.callback(), new TimerTrace(Math.max(0, timer.dueMillis()), timer.opaque()));
        }
    }

    /**
     * Writes what the invocation has changed, after all its other writes: a reader that sees a trace may conclude that
     * the event was handled. A trace that cannot be written is left out; its timer is stored anyway.
     */
    void finish(Invocation by, Origin origin, boolean succeeded) {
        Keyspace keyspace = documents;
        if (keyspace == null) {
            return;
        }
        Event event = by.event();
        if (event.kind() == Event.Kind.TIMER && succeeded) {
            created.computeIfAbsent(event.id(), id -> new LinkedHashMap<>());
        }
        if (created.isEmpty()) {
            return;
        }
        try {
            writes.awaitAll(by);
            for (Map.Entry<String, Map<String, TimerTrace>> each : created.entrySet()) {
                leave(new DocumentKey(keyspace, each.getKey()), each.getValue(), by, origin);
            }
        } catch (DocumentsException | StoreTimeout | InterruptedException e) {
            counters.add(Counters.TRACES_NOT_LEFT, 1);
        } finally {
            created.clear();
        }
    }

    private void leave(DocumentKey key, Map<String, TimerTrace> more, Invocation by, Origin origin)
            throws StoreTimeout, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Document> found = writes.read(key, by);
            if (found.isEmpty() || !handlesTheNewestChange(found.get(), by.event())) {
                return;
            }
            Document document = found.get();
            Map<String, TimerTrace> before = TimerTrace.parse(text(document), instance);
            Map<String, TimerTrace> traces = new LinkedHashMap<>(before);
            Event event = by.event();
            if (event.kind() == Event.Kind.TIMER && event.id().equals(key.id())) {
                traces.computeIfPresent(event.scope(), (callback, trace) -> trace.due() == event.cas() ? null : trace);
            }
            traces.putAll(more);
            if (traces.equals(before)) {
                return;
            }
            Write write = Write.touch(key, Expiry.PRESERVE)
                    .withCas(document.cas())
                    .withXattrs(null, attributes(document, traces))
                    .withOrigin(origin);
            if (writes.writeAndWait(write, by) instanceof WriteResult.Written) {
                return;
            }
        }
    }

    /**
     * Returns whether no change of the document would be lost by a write of the function. The function does not handle
     * its own write, which replaces the change before it in the feed. That change must therefore be the one that is being
     * handled, or one that the function made.
     */
    private boolean handlesTheNewestChange(Document document, Event event) {
        Origin origin = document.origin();
        if (origin != null && origin.instance().equals(instance)) {
            return true;
        }
        return event.kind() == Event.Kind.MUTATION
                && document.cas() == event.cas()
                && document.key().id().equals(event.id())
                && document.key().keyspace().scope().equals(event.scope())
                && document.key().keyspace().collection().equals(event.collection());
    }

    private String text(Document document) {
        Spec get = Spec.of(Operation.GET, path).withFlags(PathFlag.XATTR_PATH);
        var outcome = Commands.run(Request.lookUp(List.of(get)), Paths.snapshot(document));
        var result = outcome.results().isEmpty() ? null : outcome.results().getFirst();
        if (result == null || result.status() != Status.SUCCESS) {
            return "";
        }
        String json = new String(result.value(), UTF_8);
        return json.length() < 2 ? "" : json.substring(1, json.length() - 1);
    }

    private byte @Nullable [] attributes(Document document, Map<String, TimerTrace> traces) {
        Spec spec = traces.isEmpty()
                ? Spec.of(Operation.REMOVE, path).withFlags(PathFlag.XATTR_PATH)
                : Spec.of(Operation.DICT_UPSERT, path, '"' + TimerTrace.text(instance, traces) + '"')
                        .withFlags(PathFlag.XATTR_PATH | PathFlag.MKDIR_P);
        var outcome = Commands.run(Request.mutate(List.of(spec)), Paths.snapshot(document));
        Change change = outcome.change();
        if (change == null) {
            throw DocumentsException.of(
                    DocumentsException.Code.CORRUPT,
                    "The attributes of %s cannot be changed".formatted(document.key()));
        }
        return change.systemXattrs();
    }
}
