package io.millrace.subdocservice.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.env.ClusterEnvironment;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.transactions.TransactionGetResult;
import com.couchbase.client.java.transactions.TransactionKeyspace;
import com.couchbase.client.java.transactions.config.TransactionOptions;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.SubdocService;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.SteppedClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Transactions of the published SDK: several clients transfer money between few accounts, all with the cleanup of lost
 * attempts, while the clocks of the service and of Redis are set back and forth. The property {@code millrace.transfers}
 * makes it longer.
 */
class SdkTransactionsIT {

    private static final int ACCOUNTS = 5;
    private static final int BALANCE = 100;
    private static final int TRANSFERS = Integer.getInteger("millrace.transfers", 5);
    private static final int CLIENTS = TRANSFERS > 100 ? 10 : 2;

    /** Every client looks for lost attempts once in this time. */
    private static final Duration WINDOW = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration FORWARD = Duration.ofSeconds(60);

    private static final AtomicReference<Duration> STEP = new AtomicReference<>(Duration.ZERO);

    private static final InstantSource CLOCK = () -> Instant.now().plus(STEP.get());

    @TestConfiguration(proxyBeanMethods = false)
    static class Stepped {

        @Bean
        @Primary
        MetakvClient memoryMetakv() {
            return MetakvClient.inMemory();
        }

        @Bean
        @Primary
        InstantSource steppedClock() {
            return CLOCK;
        }

        @Bean(destroyMethod = "close")
        RedisDocumentStore steppedStore(RedisAccess redis, ChangeNotifier notifier) {
            return new RedisDocumentStore(redis::commands, notifier, CLOCK);
        }
    }

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final String bucket = StoreKit.uniqueBucket();
    private final List<Runnable> closing = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ConfigurableApplicationContext service;

    @BeforeEach
    void start() {
        STEP.set(Duration.ZERO);
        service = new SpringApplication(SubdocService.class, Stepped.class, OwnEventLoops.class)
                .run(
                        "--server.port=0",
                        "--millrace.kv.port=0",
                        "--millrace.users.admin-password=" + SdkKit.PASSWORD,
                        "--spring.data.redis.url=" + redis.url());
        StoreKit.await(service.getBean(DocumentStore.class).catalog().createBucket(bucket, 1));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        closing.reversed().forEach(Runnable::run);
        service.close();
        redis.close();
    }

    @Test
    void transfers_keepTheSum_whileClientsCleanUpAndTheClockIsStepped() throws Exception {
        List<Cluster> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(connect());
        }
        open(clients.getFirst());
        SteppedClock clock = SteppedClock.of(redis.console());
        AtomicBoolean running = new AtomicBoolean(true);
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            work.add(threads.submit(() -> transfers(clients.get(number), number)));
        }
        Future<?> audits = threads.submit(() -> {
            for (int i = 0; running.get() && i < TRANSFERS; i++) {
                clock.step(STEP.updateAndGet(step -> step.isNegative() ? FORWARD : FORWARD.negated()));
                assertThat(sum(clients.getLast())).isEqualTo(ACCOUNTS * BALANCE);
            }
            return null;
        });

        for (Future<?> transfers : work) {
            done(transfers);
        }
        running.set(false);
        done(audits);

        assertThat(sum(clients.getFirst())).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(casAfter(clock, FORWARD, clients.getFirst()))
                .as("a step has an effect")
                .isAfter(Instant.now().plus(FORWARD.dividedBy(2)));
    }

    private Instant casAfter(SteppedClock clock, Duration step, Cluster client) throws IOException {
        clock.step(step);
        long cas = client.bucket(bucket)
                .defaultCollection()
                .upsert("clock", JsonObject.create())
                .cas();
        return Instant.EPOCH.plusNanos(cas);
    }

    /** An attempt that is older than the window of the cleanup, but not than its own time limit. */
    @Test
    void slowAttempt_isNotTakenForALostOne() {
        Cluster slow = connect();
        Cluster cleaner = connect();
        open(slow);
        Collection accounts = slow.bucket(bucket).defaultCollection();

        Instant end = Instant.now().plus(WINDOW.multipliedBy(3));
        slow.transactions()
                .run(
                        attempt -> {
                            TransactionGetResult from = attempt.get(accounts, "account-0");
                            attempt.replace(from, changed(from, 1 - BALANCE));
                            // the cleanup of the other client runs in the meantime
                            await().atMost(PATIENCE).until(() -> Instant.now().isAfter(end));
                            TransactionGetResult to = attempt.get(accounts, "account-1");
                            attempt.replace(to, changed(to, BALANCE - 1));
                        },
                        options());

        assertThat(sum(cleaner)).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(accounts.get("account-0").contentAsObject().getInt("balance"))
                .isOne();
    }

    @Test
    void attemptOfAClientThatIsGone_isRolledBackByOthers() throws Exception {
        Cluster dying = connect();
        Cluster other = connect();
        open(dying);
        Collection accounts = dying.bucket(bucket).defaultCollection();
        CountDownLatch staged = new CountDownLatch(1);
        threads.submit(() -> dying.transactions()
                .run(
                        attempt -> {
                            TransactionGetResult from = attempt.get(accounts, "account-0");
                            attempt.replace(from, JsonObject.create().put("balance", 0));
                            staged.countDown();
                            await().forever().until(() -> false); // until the thread is interrupted
                        },
                        TransactionOptions.transactionOptions().timeout(Duration.ofSeconds(3))));
        assertThat(staged.await(60, TimeUnit.SECONDS)).isTrue();

        closing.removeFirst().run();

        transfer(other, "account-0", "account-1");
        assertThat(sum(other)).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(other.bucket(bucket)
                        .defaultCollection()
                        .get("account-0")
                        .contentAsObject()
                        .getInt("balance"))
                .isEqualTo(BALANCE - 7);
    }

    private void transfers(Cluster client, int number) {
        Random random = new Random(number);
        for (int i = 0; i < TRANSFERS; i++) {
            int from = random.nextInt(ACCOUNTS);
            transfer(client, "account-" + from, "account-" + (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS);
        }
    }

    private void transfer(Cluster client, String from, String to) {
        Collection accounts = client.bucket(bucket).defaultCollection();
        client.transactions()
                .run(
                        attempt -> {
                            TransactionGetResult first = attempt.get(accounts, from);
                            TransactionGetResult second = attempt.get(accounts, to);
                            attempt.replace(first, changed(first, -7));
                            attempt.replace(second, changed(second, 7));
                        },
                        options());
    }

    /**
     * Counts changes as well, so that no body ever comes back: the SDK takes a document for unchanged if the checksum of its body
     * is that of its read, although it may have read what another transaction had only staged.
     */
    private static JsonObject changed(TransactionGetResult account, int by) {
        JsonObject content = account.contentAs(JsonObject.class);
        return content.put("balance", content.getInt("balance") + by).put("changes", content.getInt("changes") + 1);
    }

    /** Reads all accounts in one transaction, which commits only if none of them has changed meanwhile. */
    private int sum(Cluster client) {
        Collection accounts = client.bucket(bucket).defaultCollection();
        int[] sum = new int[1];
        client.transactions()
                .run(
                        attempt -> {
                            sum[0] = 0;
                            for (int i = 0; i < ACCOUNTS; i++) {
                                TransactionGetResult account = attempt.get(accounts, "account-" + i);
                                sum[0] += account.contentAs(JsonObject.class).getInt("balance");
                                attempt.replace(account, changed(account, 0));
                            }
                        },
                        options());
        return sum[0];
    }

    private void open(Cluster client) {
        Collection accounts = client.bucket(bucket).defaultCollection();
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts.insert(
                    "account-" + i, JsonObject.create().put("balance", BALANCE).put("changes", 0));
        }
    }

    /** A step forward takes its time from an attempt, and on a busy machine one with many conflicts needs long. */
    private static TransactionOptions options() {
        return TransactionOptions.transactionOptions().timeout(PATIENCE.plus(FORWARD));
    }

    private Cluster connect() {
        ClusterEnvironment environment = ClusterEnvironment.builder()
                .timeoutConfig(timeouts -> timeouts.kvTimeout(Duration.ofSeconds(20)))
                .transactionsConfig(transactions -> transactions.cleanupConfig(cleanup ->
                        cleanup.cleanupWindow(WINDOW).addCollections(List.of(TransactionKeyspace.create(bucket)))))
                .build();
        Cluster cluster = SdkKit.connect(service, environment);
        closing.add(() -> {
            cluster.disconnect();
            environment.shutdown();
        });
        cluster.bucket(bucket).waitUntilReady(Duration.ofSeconds(60));
        return cluster;
    }

    private static void done(Future<?> work) throws InterruptedException, ExecutionException, TimeoutException {
        work.get(5 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
