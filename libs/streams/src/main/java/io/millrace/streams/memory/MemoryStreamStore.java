package io.millrace.streams.memory;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.codec.EventJson;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams in memory: the readable specification of {@link StreamStore}, and what unit tests use in place of Redis. Each
 * stream has a document in a keyspace, so that the keyspace's change feed reports its changes.
 */
public final class MemoryStreamStore implements StreamStore {

    /** One stream. */
    private static final class Log {
        private final List<EncodedEvent> events = new ArrayList<>();
        private final List<Long> seqnos = new ArrayList<>();
        /** Indices at which batches begin, that of the tip included. */
        private final NavigableSet<Long> starts = new TreeSet<>();

        private final Map<TransactionId, SyncResult.Written> done = new LinkedHashMap<>();
        private List<EncodedEvent> unfolds = List.of();
        private long base;
        private long tip;
        private long etag;

        long version() {
            return base + events.size();
        }

        List<TimelineEvent> range(long from, long to) {
            List<TimelineEvent> range = new ArrayList<>();
            for (long index = Math.max(from, base); index < Math.min(to, version()); index++) {
                int at = (int) (index - base);
                range.add(new TimelineEvent(index, seqnos.get(at), false, events.get(at)));
            }
            return range;
        }

        List<TimelineEvent> unfolds() {
            return unfolds.stream()
                    .map(unfold -> new TimelineEvent(version(), 0, true, unfold))
                    .toList();
        }

        int tipBytes() {
            return range(tip, version()).stream()
                    .mapToInt(event -> EventJson.event(event.event()).length)
                    .sum();
        }
    }

    private final DocumentStore documents;
    private final Keyspace keyspace;
    private final Map<StreamName, Log> logs = new HashMap<>();

    /** Keeps the streams of a keyspace; create at most one such object per keyspace. */
    public MemoryStreamStore(MemoryDocumentStore documents, Keyspace keyspace) {
        this.documents = documents;
        this.keyspace = keyspace;
    }

    @Override
    public synchronized CompletableFuture<TipResult> tip(StreamName stream, long knownEtag) {
        return answer(() -> {
            Log log = logs.get(stream);
            if (log == null) {
                return new TipResult.NotFound();
            }
            return log.etag == knownEtag
                    ? new TipResult.NotModified()
                    : new TipResult.Found(new Tip(
                            log.version(),
                            log.tip,
                            log.base,
                            log.etag,
                            log.range(log.tip, log.version()),
                            log.unfolds()));
        });
    }

    @Override
    public synchronized CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request) {
        return answer(() -> {
            request.events().forEach(EventJson::checkedEvent);
            EventJson.checkedUnfolds(request.unfolds());
            @Nullable Log known = logs.get(stream);
            Log log = known == null ? new Log() : known;
            SyncResult.Written before = log.done.get(request.transaction());
            if (before != null) {
                return new SyncResult.Written(before.version(), before.etag(), true);
            }
            return switch (request.expected()) {
                case Expected.Version(long version)
                when version != log.version() -> conflict(log, version < log.tip ? PageRequest.END : version);
                case Expected.Etag(long etag) when etag != log.etag -> conflict(log, PageRequest.END);
                default -> write(stream, log, request);
            };
        });
    }

    private static SyncResult conflict(Log log, long from) {
        return new SyncResult.Conflict(
                log.version(), log.etag, log.tip, log.range(from, PageRequest.END), log.unfolds());
    }

    private SyncResult write(StreamName stream, Log log, SyncRequest request) {
        long etag = touch(stream, request.unfolds());
        if (log.tip == log.version()) {
            log.starts.add(log.tip);
        }
        log.events.addAll(request.events());
        log.seqnos.addAll(Collections.nCopies(request.events().size(), etag));
        log.unfolds = request.unfolds();
        log.etag = etag;
        if (log.version() - log.tip > request.maxEventsInTip() || log.tipBytes() > request.maxTipBytes()) {
            log.tip = log.version();
        }
        SyncResult.Written written = new SyncResult.Written(log.version(), etag, false);
        log.done.put(request.transaction(), written);
        if (log.done.size() > io.millrace.documents.Limits.REMEMBERED_TRANSACTIONS) {
            log.done.remove(log.done.keySet().iterator().next());
        }
        logs.put(stream, log);
        return written;
    }

    private long touch(StreamName stream, List<EncodedEvent> unfolds) {
        Write write = Write.upsert(new DocumentKey(keyspace, stream.toString()), EventJson.unfolds(unfolds));
        return documents.write(write).join() instanceof WriteResult.Written written ? written.seqno() : 0;
    }

    @Override
    public synchronized CompletableFuture<Page> read(StreamName stream, PageRequest request) {
        return answer(() -> {
            Log log = logs.get(stream);
            if (log == null) {
                return new Page(0, 0, 0, 0, List.of());
            }
            List<Long> starts = new ArrayList<>(log.starts.tailSet(log.base, false));
            starts.remove(log.tip);
            starts.addFirst(log.base);
            if (log.tip > log.base) {
                starts.add(log.tip);
            }
            return request.direction() == PageRequest.Direction.FORWARD
                    ? forward(log, starts, request)
                    : backward(log, starts, request);
        });
    }

    private static Page forward(Log log, List<Long> starts, PageRequest request) {
        long start = Math.min(Math.max(request.from(), log.base), log.version());
        List<Long> later = starts.stream().filter(index -> index > start).toList();
        long end = later.size() < request.batches() ? log.version() : later.get(request.batches() - 1);
        return page(log, start, Math.min(end, request.to()));
    }

    private static Page backward(Log log, List<Long> starts, PageRequest request) {
        long end = Math.min(request.to(), log.version());
        List<Long> earlier =
                starts.stream().filter(index -> index < request.to()).toList().reversed();
        long start = earlier.size() <= request.batches() ? log.base : earlier.get(request.batches() - 1);
        return page(log, Math.min(Math.max(start, request.from()), end), end);
    }

    private static Page page(Log log, long start, long end) {
        return new Page(log.version(), log.base, log.etag, start, log.range(start, end));
    }

    @Override
    public synchronized CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
        return answer(() -> {
            Log log = logs.get(stream);
            if (log == null) {
                return new PruneResult(0, 0, 0);
            }
            long limit = Math.min(untilIndex + 1, log.version());
            if (limit <= log.base) {
                return new PruneResult(0, 0, log.base);
            }
            long end = limit;
            if (limit <= log.tip) {
                Long start = limit == log.tip ? Long.valueOf(limit) : log.starts.floor(limit);
                end = start == null ? log.base : Math.max(start, log.base);
            } else {
                log.tip = limit;
                log.etag = touch(stream, log.unfolds);
            }
            long deleted = end - log.base;
            log.events.subList(0, (int) deleted).clear();
            log.seqnos.subList(0, (int) deleted).clear();
            log.base = end;
            log.starts.headSet(end).clear();
            return new PruneResult(deleted, limit - end, end);
        });
    }

    private static <T> CompletableFuture<T> answer(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (StreamsException e) {
            return CompletableFuture.failedFuture(e);
        } catch (CompletionException e) { // documents in memory complete at once
            return CompletableFuture.failedFuture(Objects.requireNonNullElse(e.getCause(), e));
        }
    }
}
