package io.millrace.metakvservice.audit;

import io.millrace.audit.AuditLimits;
import io.millrace.audit.AuditLine;
import io.millrace.audit.AuditStream;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.TransactionId;
import io.millrace.metakvservice.entries.BucketCreation;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One stream with the lines of all trails, in the order in which they came; the index of a line is its position for readers.
 * The unfold of the stream says how far the copy of each trail is, and an append is made only on the version that it was read
 * with; a line that is sent again is left out.
 */
@Component
final class AuditLog implements AuditStream {

    static final String NAME = "_audit";

    private static final Keyspace KEYSPACE = Keyspace.of(NAME);
    private static final StreamName LINES = StreamName.parse("Audit-lines");

    /** An append of a service: at least one line each, at most {@link AuditLimits#MAX_LINES_PER_COPY}. */
    private static final int BATCHES_PER_READ = 100;

    /** Lines beyond the limit that are removed together. */
    private static final int PRUNED_TOGETHER = 1_000;

    private static final Tip NONE = new Tip(0, 0, 0, 0, List.of(), List.of());

    private final DocumentStore documents;
    private final StreamStore store;

    AuditLog(DocumentStore documents) {
        this.documents = documents.with(SystemHandle.AUDIT);
        this.store = StreamStores.on(this.documents, KEYSPACE);
    }

    @Override
    public CompletableFuture<Long> append(String trail, List<String> lines) {
        List<AuditLine> parsed = lines.stream().map(AuditLine::parse).toList();
        return appended(trail, parsed).toFuture();
    }

    /** Returns how far the copy of each trail is. */
    Mono<Trails> trails() {
        return tip().map(Trails::of);
    }

    /** Returns the position after the newest line. */
    Mono<Long> end() {
        return tip().map(Tip::version);
    }

    /** Returns lines from a position on; the first ones that there are if older ones were removed. */
    Mono<Page> read(long from) {
        return call(() -> store.read(
                LINES, new PageRequest(PageRequest.Direction.FORWARD, from, PageRequest.END, BATCHES_PER_READ)));
    }

    private Mono<Tip> tip() {
        return call(() -> store.tip(LINES, 0)).map(result -> result instanceof TipResult.Found(Tip tip) ? tip : NONE);
    }

    private Mono<Long> appended(String trail, List<AuditLine> lines) {
        return tip().flatMap(tip -> {
            Trails known = Trails.of(tip);
            long last = known.last(trail);
            List<AuditLine> news =
                    lines.stream().filter(line -> line.sequence() > last).toList();
            return news.isEmpty() ? Mono.just(last) : sync(trail, tip, known, news, lines);
        });
    }

    private Mono<Long> sync(String trail, Tip tip, Trails known, List<AuditLine> news, List<AuditLine> lines) {
        long last = news.getLast().sequence();
        long end = tip.version() + news.size();
        List<EncodedEvent> events = new ArrayList<>(news.size());
        for (AuditLine line : news) {
            events.add(EncodedEvent.of(line.name(), line.text(), line.time())
                    .withMeta(Trails.mark(trail), EncodedEvent.Encoding.JSON));
        }
        EncodedEvent unfold = known.with(trail, last, end - 1)
                .since(tip.base())
                .unfold(news.getLast().time());
        SyncRequest request = new SyncRequest(
                Expected.version(tip.version()),
                events,
                List.of(unfold),
                Limits.DEFAULT_EVENTS_IN_TIP,
                Limits.DEFAULT_TIP_BYTES,
                TransactionId.random());
        return call(() -> store.sync(LINES, request)).flatMap(result -> switch (result) {
            case SyncResult.Written written -> pruned(tip.base(), end).thenReturn(last);
            case SyncResult.Conflict conflict -> appended(trail, lines); // another service was faster
        });
    }

    private Mono<Void> pruned(long base, long end) {
        long excess = end - base - AuditLimits.MAX_LINES_IN_STREAM;
        return excess < PRUNED_TOGETHER
                ? Mono.empty()
                : call(() -> store.prune(LINES, base + excess - 1)).then();
    }

    /** Makes a call, and repeats it once if the bucket had to be created. */
    private <T> Mono<T> call(Supplier<CompletableFuture<T>> call) {
        return BucketCreation.whenMissed(
                () -> Mono.fromFuture(call),
                () -> BucketCreation.of(() -> documents.catalog().createBucket(NAME, 1)));
    }
}
