package io.millrace.metakvservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.RedisKit;
import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.testkit.OwnRedis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.util.retry.Retry;

/** Lists and watches over the death of Redis. */
class RedisOutageIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void watch_goesOnAfterRedisWasKilled() {
        try (var service = new Service(OwnRedis.startDurable())) {
            service.set("/x", "1");
            List<String> seen = service.watch();

            service.redis.kill9();
            service.redis.restart();
            service.set("/x", "2");
            service.set("/y", "3");

            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(seen).containsExactly("reset", "/x=1", "ready", "/x=2", "/y=3"));
            assertThat(service.list()).containsExactly("/x=2", "/y=3");
        }
    }

    @Test
    void list_isRightAfterRedisForgotEverything() {
        try (var service = new Service(OwnRedis.startVolatile())) {
            service.set("/x", "1");
            service.set("/y", "2");
            List<String> seen = service.watch();

            service.redis.kill9();
            service.redis.restart();
            service.set("/z", "3");

            assertThat(service.list()).containsExactly("/z=3");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(seen)
                            .containsExactly("reset", "/x=1", "/y=2", "ready", "reset", "/z=3", "ready"));
        }
    }

    /** What the service is made of, on a Redis of its own. */
    private static final class Service implements AutoCloseable {

        final OwnRedis redis;
        private final RedisKit kit;
        private final MirrorFeed feed;
        private final Entries entries;

        Service(OwnRedis redis) {
            this.redis = redis;
            this.kit = new RedisKit(redis.url());
            var store = kit.store(InstantSource.system());
            var bucket = new SystemBucket(store);
            var mirror = new Mirror();
            this.feed = new MirrorFeed(store, bucket, mirror);
            this.entries = new Entries(bucket, mirror, feed);
            feed.start();
        }

        @Override
        public void close() {
            feed.stop();
            kit.close();
            redis.close();
        }

        void set(String path, String value) {
            var transaction = TransactionId.random();
            entries.set(path, value.getBytes(UTF_8), transaction)
                    .retryWhen(again())
                    .block(LONG);
        }

        List<String> list() {
            List<MetakvEntry> found = entries.list("/").retryWhen(again()).block(LONG);
            return found == null
                    ? List.of()
                    : found.stream()
                            .map(entry -> entry.path() + "=" + entry.text())
                            .toList();
        }

        private static Retry again() {
            return Retry.fixedDelay(300, Duration.ofMillis(50))
                    .filter(failure -> failure instanceof DocumentsException down && down.unavailable()
                            || failure instanceof MetakvException late && late.unavailable());
        }

        List<String> watch() {
            var seen = new CopyOnWriteArrayList<String>();
            entries.watch("/", null)
                    .flatMapMany(notices -> notices)
                    .map(notice -> switch (notice) {
                        case Notice.Reset() -> "reset";
                        case Notice.Ready ready -> "ready";
                        case Notice.Entry entry ->
                            entry.path()
                                    + (entry.entry() == null
                                            ? " gone"
                                            : "=" + entry.entry().text());
                    })
                    .subscribe(seen::add);
            await().until(() -> seen.contains("ready"));
            return seen;
        }
    }
}
