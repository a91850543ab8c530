package io.millrace.subdocservice.kv.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.spring.DocumentsAutoConfiguration;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.CommandException;
import io.millrace.subdocservice.kv.command.DurableWrites.Admission;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which durability each configuration of Redis gives. */
class RedisDurableWritesIT {

    private static final Durability MAJORITY = new Durability(Durability.MAJORITY, 0);
    private static final Durability ACTIVE_DISK = new Durability(Durability.MAJORITY_AND_PERSIST_TO_ACTIVE, 0);
    private static final Durability DISKS = new Durability(Durability.PERSIST_TO_MAJORITY, 0);

    private static void with(OwnRedis redis, int replicas, Consumer<RedisDurableWrites> test) {
        with(redis.url(), replicas, test);
    }

    private static void with(String url, int replicas, Consumer<RedisDurableWrites> test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, DocumentsAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.url=" + url)
                .run(context -> {
                    try (RedisDurableWrites durable =
                            new RedisDurableWrites(context.getBean(RedisAccess.class), replicas)) {
                        test.accept(durable);
                    }
                });
    }

    private static Status admitted(RedisDurableWrites durable, Durability level) {
        return status(durable.admit(level));
    }

    private static Status reached(RedisDurableWrites durable, Durability level) {
        return status(durable.admit(level).thenCompose(Admission::reach));
    }

    private static Status status(CompletableFuture<?> work) {
        try {
            work.join();
            return Status.SUCCESS;
        } catch (CompletionException e) {
            return e.getCause() instanceof CommandException known
                    ? known.response().status()
                    : Status.EINTERNAL;
        }
    }

    @Test
    void oneRedisWithAFile_givesEveryLevel() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            with(redis, 0, durable -> {
                for (Durability level : List.of(MAJORITY, ACTIVE_DISK, DISKS)) {
                    assertThat(admitted(durable, level)).isEqualTo(Status.SUCCESS);
                    assertThat(reached(durable, level)).isEqualTo(Status.SUCCESS);
                }
                List<CompletableFuture<Void>> many = IntStream.range(0, 200)
                        .mapToObj(i -> durable.admit(ACTIVE_DISK).thenCompose(Admission::reach))
                        .toList();
                assertThat(many).allSatisfy(one -> assertThat(status(one)).isEqualTo(Status.SUCCESS));
            });
        }
    }

    @Test
    void redisWithoutAFile_givesMemoryOnly() {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            with(redis, 0, durable -> {
                assertThat(admitted(durable, MAJORITY)).isEqualTo(Status.SUCCESS);
                assertThat(reached(durable, MAJORITY)).isEqualTo(Status.SUCCESS);
                assertThat(admitted(durable, ACTIVE_DISK)).isEqualTo(Status.DURABILITY_IMPOSSIBLE);
                assertThat(admitted(durable, DISKS)).isEqualTo(Status.DURABILITY_IMPOSSIBLE);
            });
        }
    }

    @Test
    void configuredReplicas_countForTheMajority() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            with(redis, 2, durable -> assertThat(admitted(durable, MAJORITY)).isEqualTo(Status.DURABILITY_IMPOSSIBLE));
        }
    }

    @Test
    void replica_isWaitedFor() {
        try (OwnRedis redis = OwnRedis.startDurable();
                OwnRedis replica = OwnRedis.startDurable(Map.of("replicaof", "127.0.0.1 " + redis.port()))) {
            with(redis, 1, durable -> {
                await().until(() -> admitted(durable, MAJORITY) == Status.SUCCESS);
                for (Durability level : List.of(MAJORITY, ACTIVE_DISK)) {
                    assertThat(reached(durable, level)).isEqualTo(Status.SUCCESS);
                }
                // a Redis before 7.2 has no WAITAOF
                Status disks = admitted(durable, DISKS);
                assertThat(disks).isIn(Status.SUCCESS, Status.DURABILITY_IMPOSSIBLE);
                if (disks == Status.SUCCESS) {
                    assertThat(reached(durable, DISKS)).isEqualTo(Status.SUCCESS);
                }

                signal(replica, "STOP");
                assertThat(reached(durable, new Durability(Durability.MAJORITY, 300)))
                        .isEqualTo(Status.SYNC_WRITE_AMBIGUOUS);
                signal(replica, "CONT");
                await().until(() -> reached(durable, MAJORITY) == Status.SUCCESS);

                replica.stop();
                await().until(() -> admitted(durable, MAJORITY) == Status.DURABILITY_IMPOSSIBLE);
            });
        }
    }

    @Test
    void redisThatIsFullAfterTheWrite_leavesItUnknown() {
        try (OwnRedis redis = OwnRedis.startDurable();
                OwnRedis replica = OwnRedis.startDurable(Map.of("replicaof", "127.0.0.1 " + redis.port()))) {
            with(redis, 1, durable -> {
                await().until(() -> reached(durable, MAJORITY) == Status.SUCCESS);
                Admission admission = durable.admit(MAJORITY).join();
                signal(replica, "STOP");
                call(redis, "CONFIG", "SET", "maxmemory", "1");

                assertThat(status(admission.reach())).isEqualTo(Status.SYNC_WRITE_AMBIGUOUS);
                signal(replica, "CONT");
            });
        }
    }

    @Test
    void replicaThatIsPromotedAfterTheWrite_leavesItUnknown() {
        try (OwnRedis redis = OwnRedis.startDurable();
                OwnRedis second = OwnRedis.startDurable(Map.of("replicaof", "127.0.0.1 " + redis.port()));
                OwnRedis third = OwnRedis.startDurable(Map.of("replicaof", "127.0.0.1 " + second.port()));
                FlakyProxy proxy = FlakyProxy.to("127.0.0.1", redis.port())) {
            with(proxy.redisUrl(), 1, durable -> {
                await().until(() -> call(second, "INFO", "replication").contains("connected_slaves:1"));
                await().until(() -> reached(durable, MAJORITY) == Status.SUCCESS);
                Admission admission = durable.admit(MAJORITY).join();

                call(second, "REPLICAOF", "NO", "ONE");
                proxy.retarget("127.0.0.1", second.port());
                proxy.cutAll();

                await().atMost(Duration.ofSeconds(30)).until(() -> reached(durable, MAJORITY) == Status.SUCCESS);
                assertThat(status(admission.reach())).isEqualTo(Status.SYNC_WRITE_AMBIGUOUS);
                assertThat(third.port()).isPositive();
            });
        }
    }

    @Test
    void redisThatIsAway_admitsNoWriteForTheTimeBeing() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            with(redis, 0, durable -> {
                redis.stop();

                assertThatThrownBy(() -> durable.admit(MAJORITY).join())
                        .hasCauseInstanceOf(DocumentsException.class)
                        .cause()
                        .extracting(failure -> ((DocumentsException) failure).code())
                        .isEqualTo(DocumentsException.Code.UNAVAILABLE);
            });
        }
    }

    private static String call(OwnRedis redis, String... command) {
        try {
            return redis.console().call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void signal(OwnRedis redis, String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(redis.pid())).start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
