package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.cluster.ClusterPorts;
import io.millrace.subdocservice.kv.command.Dispatcher;
import io.millrace.subdocservice.kv.command.DurableWrites;
import io.millrace.subdocservice.kv.command.KvAudit;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.subdocservice.users.Logins;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/** The lifecycle of the binary endpoint: it starts to listen after the HTTP server, on the same address. */
final class KvEndpoint implements SmartLifecycle, ApplicationListener<WebServerInitializedEvent> {

    private final KvServer server;
    private final KvTlsSettings tlsSettings;
    private final Optional<KvTls> tls;
    private final ServerProperties http;
    private final Cluster cluster;
    private final InstantSource clock;
    private volatile int httpPort;

    KvEndpoint(
            KvSettings settings,
            KvTlsSettings tlsSettings,
            Optional<KvTls> tls,
            ServerProperties http,
            Cluster cluster,
            DocumentStore store,
            SubDocumentExecutor executor,
            InstantSource clock,
            Logins logins,
            DurableWrites durable,
            WriteTraces traces,
            KvAudit audit,
            ByteBudget budget) {
        this.tlsSettings = tlsSettings;
        this.tls = tls;
        this.http = http;
        this.cluster = cluster;
        this.clock = clock;
        this.server = new KvServer(
                settings, budget, Dispatcher.create(store, executor, clock, cluster, logins, durable, traces), audit);
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        if (event.getApplicationContext().getServerNamespace() == null) { // not the management server
            httpPort = event.getWebServer().getPort();
        }
    }

    @Override
    public void start() {
        InetAddress given = http.getAddress();
        InetAddress address = given == null ? InetAddress.getLoopbackAddress() : given;
        server.start(address);
        tls.ifPresent(certificate -> server.startTls(address, tlsSettings.port(), certificate));
        boolean httpTls = http.getSsl() != null && http.getSsl().isEnabled();
        long revision = clock.instant().getEpochSecond();
        cluster.publish(revision, new ClusterPorts(server.port(), server.tlsPort(), httpPort, httpTls));
    }

    @Override
    public void stop() {
        server.close();
    }

    @Override
    public boolean isRunning() {
        return server.port() != 0;
    }

    /** Returns the port of the endpoint. */
    int port() {
        return server.port();
    }
}
