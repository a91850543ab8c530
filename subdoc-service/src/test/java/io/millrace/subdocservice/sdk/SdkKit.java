package io.millrace.subdocservice.sdk;

import static com.couchbase.client.java.ClusterOptions.clusterOptions;

import com.couchbase.client.core.env.SeedNode;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.env.ClusterEnvironment;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.SubdocService;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The whole service on a real Redis, and the published SDK connected to it. Shared by all tests. */
final class SdkKit {

    static final String USER = "Administrator";
    static final String PASSWORD = "opensesame";

    private static @Nullable SdkKit shared;

    final ConfigurableApplicationContext service;
    final DocumentStore store;
    final Cluster cluster;
    final Bucket bucket;
    private final ClusterEnvironment environment;

    @TestConfiguration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        @Primary
        MetakvClient memoryMetakv() {
            return MetakvClient.inMemory();
        }
    }

    private SdkKit() {
        service = new SpringApplication(SubdocService.class, Memory.class, OwnEventLoops.class)
                .run(
                        "--server.port=0",
                        "--millrace.kv.port=0",
                        "--millrace.users.admin-password=" + PASSWORD,
                        // it outlives this class, and tests with a clock of their own have documents in the same Redis
                        "--millrace.documents.expiry-interval=1d",
                        "--spring.data.redis.url=" + RedisFixture.url());
        store = service.getBean(DocumentStore.class);
        String name = StoreKit.uniqueBucket();
        StoreKit.await(store.catalog().createBucket(name, 1));
        StoreKit.await(store.catalog().createScope(name, "s"));
        StoreKit.await(store.catalog().createCollection(new Keyspace(name, "s", "c")));
        environment = ClusterEnvironment.builder()
                .timeoutConfig(timeouts -> timeouts.kvTimeout(Duration.ofSeconds(20)))
                .build();
        cluster = connect(PASSWORD);
        bucket = cluster.bucket(name);
        bucket.waitUntilReady(Duration.ofSeconds(60));
    }

    static synchronized SdkKit shared() {
        SdkKit kit = shared;
        if (kit == null) {
            kit = new SdkKit();
            shared = kit;
            Runtime.getRuntime().addShutdownHook(new Thread(kit::close));
        }
        return kit;
    }

    Cluster connect(String password) {
        return connect(USER, password);
    }

    Cluster connect(String user, String password) {
        return Cluster.connect(
                Set.of(SeedNode.create("127.0.0.1", Optional.of(kvPort()), Optional.of(httpPort()))),
                clusterOptions(user, password).environment(environment));
    }

    /** Connects to a service of a test's own. */
    static Cluster connect(ConfigurableApplicationContext service, ClusterEnvironment environment) {
        return Cluster.connect(
                Set.of(SeedNode.create("127.0.0.1", Optional.of(kvPort(service)), Optional.of(httpPort(service)))),
                clusterOptions(USER, PASSWORD).environment(environment));
    }

    int kvPort() {
        return kvPort(service);
    }

    private static int kvPort(ConfigurableApplicationContext service) {
        return service.getBean(io.millrace.subdocservice.cluster.Cluster.class)
                .config()
                .orElseThrow()
                .ports()
                .kv();
    }

    int httpPort() {
        return httpPort(service);
    }

    private static int httpPort(ConfigurableApplicationContext service) {
        return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private void close() {
        cluster.disconnect();
        environment.shutdown();
        service.close();
    }
}
