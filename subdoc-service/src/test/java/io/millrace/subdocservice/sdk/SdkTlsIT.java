package io.millrace.subdocservice.sdk;

import static com.couchbase.client.java.ClusterOptions.clusterOptions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.core.env.Authenticator;
import com.couchbase.client.core.env.CertificateAuthenticator;
import com.couchbase.client.core.env.PasswordAuthenticator;
import com.couchbase.client.core.error.UnambiguousTimeoutException;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.env.ClusterEnvironment;
import com.couchbase.client.java.json.JsonObject;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.launcher.tls.CertificateAuthority;
import io.millrace.launcher.tls.CertificateAuthority.Pair;
import io.millrace.subdocservice.SubdocService;
import io.millrace.subdocservice.cluster.ClusterPorts;
import io.millrace.testkit.RedisFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The published SDK over TLS, with a password and with a certificate, against the service with a certificate. */
class SdkTlsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path files;

    private static CertificateAuthority authority;
    private static Pair server;
    private static ConfigurableApplicationContext service;
    private static String bucket;

    @BeforeAll
    static void start() {
        authority = CertificateAuthority.create(files);
        server = authority.forServer("first", List.of("dns:localhost", "ip:127.0.0.1"));
        service = new SpringApplication(SubdocService.class, SdkKit.Memory.class, OwnEventLoops.class)
                .run(
                        "--server.port=0",
                        "--millrace.kv.port=0",
                        "--millrace.kv.tls.port=0",
                        "--MILLRACE_TLS_CERTIFICATE=" + server.certificate(),
                        "--MILLRACE_TLS_KEY=" + server.key(),
                        "--MILLRACE_TLS_CLIENT_CA=" + authority.certificate(),
                        "--spring.ssl.bundle.watch.file.quiet-period=100ms",
                        "--millrace.users.admin-password=" + SdkKit.PASSWORD,
                        "--spring.data.redis.url=" + RedisFixture.url());
        DocumentStore store = service.getBean(DocumentStore.class);
        bucket = StoreKit.uniqueBucket();
        StoreKit.await(store.catalog().createBucket(bucket, 1));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void passwordOverTls_readsAndWrites() {
        writesAndReads(PasswordAuthenticator.create(SdkKit.USER, SdkKit.PASSWORD), "by-password", PATIENCE);
    }

    @Test
    void certificate_isTheUserWhomItNames() {
        Pair user = authority.forUser(SdkKit.USER);

        writesAndReads(
                CertificateAuthenticator.fromKey(Pems.key(user.key()), null, Pems.chain(user.certificate())),
                "by-certificate",
                PATIENCE);
    }

    @Test
    void certificateOfAnUnknownUser_isNoLogin() {
        Pair stranger = authority.forUser("mallory");

        assertThatThrownBy(() -> writesAndReads(
                        CertificateAuthenticator.fromKey(
                                Pems.key(stranger.key()), null, Pems.chain(stranger.certificate())),
                        "by-stranger",
                        Duration.ofSeconds(3)))
                .isInstanceOf(UnambiguousTimeoutException.class);
    }

    @Test
    void renewedCertificate_isUsedByNewConnections() throws Exception {
        Pair renewed = authority.forServer("second", List.of("dns:localhost", "ip:127.0.0.1"));
        assertThat(presented()).contains("CN=first");

        Files.copy(renewed.key(), server.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.certificate(), server.certificate(), StandardCopyOption.REPLACE_EXISTING);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(presented()).contains("CN=second"));
    }

    private static ClusterPorts ports() {
        return service.getBean(io.millrace.subdocservice.cluster.Cluster.class)
                .config()
                .orElseThrow()
                .ports();
    }

    private static void writesAndReads(Authenticator user, String id, Duration patience) {
        ClusterEnvironment environment = ClusterEnvironment.builder()
                .securityConfig(security -> security.enableTls(true).trustCertificate(authority.certificate()))
                .build();
        String seeds = "couchbases://127.0.0.1:" + ports().kvTls();
        try (Cluster cluster = Cluster.connect(seeds, clusterOptions(user).environment(environment))) {
            cluster.bucket(bucket).waitUntilReady(patience);
            Collection documents = cluster.bucket(bucket).defaultCollection();

            documents.upsert(id, JsonObject.create().put("n", 1));

            assertThat(documents.get(id).contentAsObject().getInt("n")).isEqualTo(1);
        } finally {
            environment.shutdown();
        }
    }

    /** Returns the name in the certificate that the port with TLS presents. */
    private static String presented() throws IOException, NoSuchAlgorithmException, KeyManagementException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anyone()}, new SecureRandom());
        try (SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), ports().kvTls())) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    /** Trusts every server: the test looks at the certificate itself. */
    private static final class Anyone implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
