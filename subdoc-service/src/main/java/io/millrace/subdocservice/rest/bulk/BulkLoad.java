package io.millrace.subdocservice.rest.bulk;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.ExpiryRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.BaseSubscriber;

/**
 * A bulk load: takes the buffers of a request one by one, splits them into lines, writes each line, and requests the next
 * buffer only while few enough writes are in flight. So a slow store slows the sender down, and memory is bounded.
 *
 * <p>Lines with the same id are written in order: a line waits for the result of the one before. A write that fails because
 * the store is unavailable is repeated with its transaction id, so it happens once; after a while the load ends.
 */
final class BulkLoad extends BaseSubscriber<DataBuffer> implements LineSplitter.Lines {

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(BulkLimits.BULK_RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS);

    private final Function<Write, CompletableFuture<WriteResult>> store;
    private final Keyspace keyspace;
    private final Expiry expiry;
    private final InstantSource clock;
    private final Instant started;
    private final BulkReport report = new BulkReport();
    private final LineSplitter splitter = new LineSplitter(BulkLimits.MAX_BULK_LINE_BYTES, this);
    private final CompletableFuture<BulkReport.Summary> summary = new CompletableFuture<>();

    private final Map<String, CompletableFuture<Void>> lastWriteOf = new ConcurrentHashMap<>();
    /** The writes in flight, plus one while input may come. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final AtomicLong bytesInFlight = new AtomicLong();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final AtomicBoolean inputOpen = new AtomicBoolean(true);
    private volatile @Nullable String stopped;
    private byte[] scratch = new byte[16 * 1024];
    private long lineNumber;

    BulkLoad(
            Function<Write, CompletableFuture<WriteResult>> store,
            Keyspace keyspace,
            Expiry expiry,
            InstantSource clock) {
        this.store = store;
        this.keyspace = keyspace;
        this.expiry = expiry;
        this.clock = clock;
        this.started = clock.instant();
    }

    BulkReport.Progress progress() {
        return report.progress();
    }

    /** Completes when every line has a result, even if the input was cut off or the store stayed unavailable. */
    CompletableFuture<BulkReport.Summary> summary() {
        return summary;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(1);
    }

    @Override
    protected void hookOnNext(DataBuffer buffer) {
        int length = buffer.readableByteCount();
        if (scratch.length < length) {
            scratch = new byte[length];
        }
        buffer.read(scratch, 0, length);
        DataBufferUtils.release(buffer);
        report.read(length);
        splitter.accept(scratch, length);
        waiting.set(true);
        readOn();
    }

    /** Requests the next buffer if one is pending and few enough writes are in flight. Called from any thread. */
    private void readOn() {
        if (waiting.get() && roomLeft() && waiting.compareAndSet(true, false)) {
            request(1);
        }
    }

    private boolean roomLeft() {
        return open.get() <= BulkLimits.MAX_BULK_WRITES_IN_FLIGHT
                && bytesInFlight.get() < BulkLimits.MAX_BULK_BYTES_IN_FLIGHT
                && stopped == null;
    }

    @Override
    protected void hookOnComplete() {
        splitter.end();
        closeInput();
    }

    @Override
    protected void hookOnError(Throwable failure) {
        stopped = "The body was cut off: " + failure.getMessage();
        closeInput();
    }

    @Override
    public void line(byte[] bytes, int from, int to) {
        lineNumber++;
        if (stopped != null || blank(bytes, from, to)) {
            return;
        }
        switch (BulkLine.parse(bytes, from, to)) {
            case BulkLine.Bad bad -> report.refused(lineNumber, bad.id(), bad.error(), bad.reason());
            case BulkLine.Entry entry -> begin(lineNumber, entry);
        }
    }

    @Override
    public void tooLong() {
        lineNumber++;
        report.refused(
                lineNumber,
                null,
                ApiError.LINE_TOO_LONG,
                "The line exceeds the limit of %,d bytes.".formatted(BulkLimits.MAX_BULK_LINE_BYTES));
    }

    private static boolean blank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private void begin(long line, BulkLine.Entry entry) {
        Expiry when;
        try {
            when = entry.expiry() == null ? expiry : ExpiryRequest.parse(entry.expiry(), clock.instant());
        } catch (ApiException e) {
            report.refused(line, entry.id(), e.error(), String.valueOf(e.getMessage()));
            return;
        }
        Write write = Write.upsert(new DocumentKey(keyspace, entry.id()), entry.value())
                .withExpiry(when);
        open.incrementAndGet();
        bytesInFlight.addAndGet(entry.value().length);

        CompletableFuture<Void> before = lastWriteOf.get(entry.id());
        CompletableFuture<WriteResult> answer = before == null
                ? attempt(write, clock.instant())
                : before.thenCompose(ignored -> attempt(write, clock.instant()));
        CompletableFuture<Void> settled = new CompletableFuture<>();
        lastWriteOf.put(entry.id(), settled);
        answer.whenComplete((result, failure) -> {
            settle(line, entry.id(), result, failure);
            lastWriteOf.remove(entry.id(), settled);
            settled.complete(null);
            bytesInFlight.addAndGet(-entry.value().length);
            closeOne();
            readOn();
        });
    }

    private CompletableFuture<WriteResult> attempt(Write write, Instant first) {
        CompletableFuture<WriteResult> answer;
        try {
            answer = store.apply(write);
        } catch (DocumentsException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionallyCompose(failure -> {
            boolean patient = Duration.between(first, clock.instant()).compareTo(BulkLimits.BULK_PATIENCE) < 0;
            if (stopped == null && patient && unwrap(failure) instanceof DocumentsException e && e.unavailable()) {
                return CompletableFuture.supplyAsync(() -> attempt(write, first), LATER)
                        .thenCompose(again -> again);
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private void settle(long line, String id, @Nullable WriteResult result, @Nullable Throwable failure) {
        if (result instanceof WriteResult.Written) {
            report.loaded();
            return;
        }
        if (result instanceof WriteResult.Locked) {
            report.refused(line, id, ApiError.DOCUMENT_LOCKED, "The document is locked by another client.");
            return;
        }
        if (failure == null) {
            report.refused(line, id, ApiError.INTERNAL, "The store responded to an upsert with " + result + ".");
            return;
        }
        Throwable cause = unwrap(failure);
        String reason = String.valueOf(cause.getMessage());
        if (!(cause instanceof DocumentsException known)) {
            report.refused(line, id, ApiError.INTERNAL, reason);
            return;
        }
        report.refused(line, id, ApiError.of(known.code()), reason);
        if (known.unavailable()) {
            stop("The store was unavailable for more than %d s. Send the file again when it is available. %s"
                    .formatted(BulkLimits.BULK_PATIENCE.toSeconds(), reason));
        }
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private void stop(String reason) {
        stopped = reason;
        cancel();
        closeInput();
    }

    private void closeInput() {
        if (inputOpen.compareAndSet(true, false)) {
            closeOne();
        }
    }

    private void closeOne() {
        if (open.decrementAndGet() == 0) {
            summary.complete(report.summary(Duration.between(started, clock.instant()), stopped));
        }
    }
}
