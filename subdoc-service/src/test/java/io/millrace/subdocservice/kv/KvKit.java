package io.millrace.subdocservice.kv;

import io.millrace.audit.Audit;
import io.millrace.documents.DocumentStore;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.memcached.Feature;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.cluster.ClusterPorts;
import io.millrace.subdocservice.kv.command.Dispatcher;
import io.millrace.subdocservice.kv.command.DurableWrites;
import io.millrace.subdocservice.kv.command.KvAudit;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/** The endpoint over a store, without the rest of the service; and clients for it. */
final class KvKit implements AutoCloseable {

    static final KvSettings SETTINGS =
            new KvSettings(0, 20_000, false, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofMinutes(30), 0);

    /** Every write is durable at once. */
    static final DurableWrites AT_ONCE =
            level -> CompletableFuture.completedFuture(() -> CompletableFuture.completedFuture(null));

    static final Feature[] ALL = {
        Feature.MUTATION_SEQNO,
        Feature.XATTR,
        Feature.XERROR,
        Feature.JSON,
        Feature.ALT_REQUEST,
        Feature.SYNC_REPLICATION,
        Feature.PRESERVE_TTL
    };

    final ByteBudget budget = new ByteBudget(64L << 20, Duration.ofSeconds(2));
    final KvServer server;
    final TestLogins logins = new TestLogins();
    final Cluster cluster = new Cluster("");
    volatile Audit audit = Audit.NONE;

    KvKit(DocumentStore store, InstantSource clock) {
        this(store, clock, SETTINGS, AT_ONCE);
    }

    KvKit(DocumentStore store, InstantSource clock, KvSettings settings, DurableWrites durable) {
        server = new KvServer(
                settings,
                budget,
                Dispatcher.create(
                        store,
                        new SubDocumentExecutor(store, clock),
                        clock,
                        cluster,
                        logins,
                        durable,
                        WriteTraces.NONE),
                new KvAudit(event -> audit.record(event)));
        server.start(InetAddress.getLoopbackAddress());
        cluster.publish(7, ClusterPorts.plain(server.port(), 8091));
    }

    MemcachedClient connect() throws IOException {
        return new MemcachedClient("127.0.0.1", server.port(), Duration.ofSeconds(20));
    }

    /** Returns a connection that is authenticated and has selected a bucket. */
    MemcachedClient open(String bucket, Feature... features) throws IOException {
        MemcachedClient client = connect();
        client.hello(features);
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);
        client.selectBucket(bucket);
        return client;
    }

    @Override
    public void close() {
        server.close();
    }
}
