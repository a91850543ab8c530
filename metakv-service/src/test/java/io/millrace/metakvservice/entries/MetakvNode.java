package io.millrace.metakvservice.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakvservice.entries.Entries.Author;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

/** What an instance of the service is made of, without HTTP. */
final class MetakvNode implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(60);

    final SystemBucket bucket;
    final ConfigStreams streams;
    final Mirror mirror;
    final MirrorFeed feed;
    final Entries entries;

    MetakvNode(DocumentStore store, SystemBucket bucket) {
        this.bucket = bucket;
        this.streams = new ConfigStreams(bucket);
        this.mirror = new Mirror(new Replays(streams));
        this.feed = new MirrorFeed(store, bucket, streams, mirror);
        this.entries = new Entries(bucket, streams, mirror, feed, ticking());
        feed.start();
    }

    /** A clock that tells every caller another time. */
    private static InstantSource ticking() {
        var millis = new AtomicLong(System.currentTimeMillis());
        return () -> Instant.ofEpochMilli(millis.getAndIncrement());
    }

    @Override
    public void close() {
        feed.stop();
    }

    void set(String path, String value) {
        assertThat(entries.set(path, value.getBytes(UTF_8), Author.of(null)).block(LONG))
                .isInstanceOf(WriteOutcome.Written.class);
    }

    /** Sets a value, however often the store has to be asked. */
    void setInTheEnd(String path, String value) {
        Author author = Author.of(null);
        entries.set(path, value.getBytes(UTF_8), author).retryWhen(again()).block(LONG);
    }

    void delete(String path) {
        entries.delete(path, Author.of(null)).block(LONG);
    }

    List<String> list() {
        List<MetakvEntry> found = entries.list("/").retryWhen(again()).block(LONG);
        return found == null
                ? List.of()
                : found.stream().map(entry -> entry.path() + "=" + entry.text()).toList();
    }

    private static Retry again() {
        return Retry.fixedDelay(300, Duration.ofMillis(50))
                .filter(failure -> failure instanceof DocumentsException down && down.unavailable()
                        || failure instanceof MetakvException late && late.unavailable());
    }

    /** Watches everything, and returns what is told, once the beginning has been. */
    List<String> watch() {
        var told = new Told(null);
        await().atMost(LONG).until(() -> told.seen.contains("ready"));
        return told.seen;
    }

    Told watch(@Nullable Cursor resumed) {
        return new Told(resumed);
    }

    /** What a watch has told so far, and where it can be resumed. */
    final class Told implements AutoCloseable {

        final List<String> seen = new CopyOnWriteArrayList<>();
        volatile @Nullable Cursor next;
        private final Disposable watch;

        private Told(@Nullable Cursor resumed) {
            Flux<WatchEvent> notices =
                    entries.watch("/", resumed).retryWhen(again()).flatMapMany(all -> all);
            watch = notices.subscribe(this::take);
        }

        private void take(WatchEvent notice) {
            switch (notice) {
                case WatchEvent.Reset() -> seen.add("reset");
                case WatchEvent.Ready(Cursor after) -> {
                    next = after;
                    seen.add("ready");
                }
                case WatchEvent.Entry(String path, MetakvEntry entry, Cursor after) -> {
                    next = after == null ? next : after;
                    seen.add(path + (entry == null ? " gone" : "=" + entry.text()));
                }
            }
        }

        @Override
        public void close() {
            watch.dispose();
        }
    }
}
