package io.millrace.metakvservice.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.redis.RedisKit;
import io.millrace.metakvservice.entries.Entries.Author;
import io.millrace.testkit.OwnRedis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Lists and watches over the death of Redis. */
class RedisOutageIT {

    private static final Duration LONG = MetakvNode.LONG;

    @Test
    void watch_goesOnAfterRedisWasKilled() {
        try (var redis = OwnRedis.startDurable();
                var service = new Service(redis)) {
            service.node.setInTheEnd("/x", "1");
            List<String> seen = service.node.watch();

            redis.kill9();
            redis.restart();
            service.node.setInTheEnd("/x", "2");
            service.node.setInTheEnd("/y", "3");

            // this Redis lost no writes but cannot prove it: the watch may get the full list again, and nothing else
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(seen)
                            .startsWith("reset", "/x=1", "ready")
                            .contains("/x=2", "/y=3")
                            .doesNotContain("/x gone", "/y gone"));
            assertThat(service.node.list()).containsExactly("/x=2", "/y=3");
        }
    }

    @Test
    void list_isRightAfterRedisForgotEverything() {
        try (var redis = OwnRedis.startVolatile();
                var service = new Service(redis)) {
            service.node.setInTheEnd("/x", "1");
            service.node.setInTheEnd("/y", "2");
            List<String> seen = service.node.watch();

            redis.kill9();
            redis.restart();
            service.node.setInTheEnd("/z", "3");

            assertThat(service.node.list()).containsExactly("/z=3");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(seen)
                            .containsExactly("reset", "/x=1", "/y=2", "ready", "reset", "/z=3", "ready"));
        }
    }

    @Test
    void instance_thatIsAskedWhileItReads_resetsNoWatchOfOthers() {
        try (var redis = OwnRedis.startDurable();
                var first = new Service(redis)) {
            first.node.setInTheEnd("/x", "1");
            redis.kill9();
            redis.restart();
            first.node.setInTheEnd("/x", "2");
            List<String> seen = first.node.watch();

            for (int i = 0; i < 5; i++) {
                try (var late = new Service(redis)) {
                    assertThat(late.node.list()).contains("/x=2");
                    late.node.set("/y", "v" + i);
                }
            }

            await().atMost(LONG).until(() -> seen.contains("/y=v4"));
            assertThat(seen).containsExactly("reset", "/x=2", "ready", "/y=v0", "/y=v1", "/y=v2", "/y=v3", "/y=v4");
        }
    }

    @Test
    void history_isAnotherWhenAllWereStoppedOverARestartOfRedis() {
        try (var redis = OwnRedis.startDurable()) {
            Cursor place;
            try (var before = new Service(redis)) {
                before.node.setInTheEnd("/x", "1");
                var begun = before.node.watch(null);
                await().atMost(LONG).until(() -> begun.seen.contains("ready"));
                place = begun.next;
            }
            redis.kill9();
            redis.restart();

            try (var after = new Service(redis);
                    var resumed = after.node.watch(place)) {
                await().atMost(LONG).until(() -> resumed.seen.contains("ready"));
                assertThat(resumed.seen).containsExactly("reset", "/x=1", "ready");
            }
        }
    }

    @Test
    void watch_isResumedByAnotherInstanceWithoutAGap() {
        try (var redis = OwnRedis.startVolatile();
                var first = new Service(redis);
                var second = new Service(redis)) {
            first.node.set("/gone", "before");
            var begun = first.node.watch(null);
            await().atMost(LONG).until(() -> begun.seen.contains("ready"));
            Cursor place = begun.next;
            first.close();

            Flux.range(0, 20)
                    .flatMapSequential(i -> second.node.entries.set("/x", ("v" + i).getBytes(UTF_8), Author.of(null)))
                    .blockLast(LONG);
            second.node.delete("/gone");

            try (var third = new Service(redis);
                    var resumed = third.node.watch(place);
                    var slow = second.node.watch(place)) {
                for (var told : List.of(resumed, slow)) {
                    await().atMost(LONG).until(() -> told.seen.contains("ready"));
                    assertThat(told.seen)
                            .containsExactlyElementsOf(Stream.concat(
                                            IntStream.range(0, 20).mapToObj(i -> "/x=v" + i),
                                            Stream.of("/gone gone", "ready"))
                                    .toList());
                }
            }
        }
    }

    /** An instance with a connection of its own. */
    private static final class Service implements AutoCloseable {

        final MetakvNode node;
        private final RedisKit kit;

        Service(OwnRedis redis) {
            this.kit = new RedisKit(redis.url());
            var store = kit.store(InstantSource.system());
            this.node = new MetakvNode(store, new SystemBucket(store));
        }

        @Override
        public void close() {
            node.close();
            kit.close();
        }
    }
}
