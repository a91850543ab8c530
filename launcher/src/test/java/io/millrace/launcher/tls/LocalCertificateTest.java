package io.millrace.launcher.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.gateway.Login;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCertificateTest {

    private static final List<String> HOSTS = List.of("localhost", "127.0.0.1", "Example.test", "::1");

    @TempDir
    private Path data;

    @Test
    void certificate_staysOverStarts_untilItLacksAHost() throws IOException {
        LocalCertificate made = LocalCertificate.ensure(data, HOSTS);
        String first = Files.readString(made.certificate());

        LocalCertificate again = LocalCertificate.ensure(data, List.of("LOCALHOST", "::1"));
        assertThat(Files.readString(again.certificate())).isEqualTo(first);
        assertThat(again.hosts()).contains("localhost", "127.0.0.1", "example.test");

        LocalCertificate wider = LocalCertificate.ensure(data, List.of("localhost", "other.test"));
        assertThat(Files.readString(wider.certificate())).isNotEqualTo(first);
        assertThat(wider.hosts()).contains("other.test");
    }

    @Test
    void files_areReadByTheirOwnerOnly_andNoKeyOfTheAuthorityIsLeft() throws IOException {
        LocalCertificate made = LocalCertificate.ensure(data, HOSTS);

        Path directory = data.resolve("tls");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.key())))
                .isEqualTo("rw-------");
        assertThat(made.isKeyPrivate()).isTrue();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("authority.pem", "suite.pem", "suite.key");
        }
        Files.setPosixFilePermissions(made.key(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(made.isKeyPrivate()).isFalse();
    }

    @Test
    void client_trustsTheAuthorityOfItsLogin_andNoOther() throws IOException {
        LocalCertificate made = LocalCertificate.ensure(data, HOSTS);
        LocalCertificate other = LocalCertificate.ensure(data.resolve("other"), HOSTS);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(serving(made)));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
        Path file = data.resolve("login");
        Files.writeString(file, new Login("ann", "a\\b\"c", made.authority()).text());
        Login login = Login.read(file).orElseThrow();
        try (GatewayClient client = new GatewayClient(url, login);
                GatewayClient stranger = new GatewayClient(url, login.trusting(other.authority()));
                GatewayClient unprepared = new GatewayClient(url, login.trusting(null))) {
            assertThat(login).isEqualTo(new Login("ann", "a\\b\"c", made.authority()));
            assertThat(client.get("/").status()).isEqualTo(204);
            for (GatewayClient each : List.of(stranger, unprepared)) {
                assertThatThrownBy(() -> each.get("/"))
                        .isInstanceOf(LauncherException.class)
                        .hasMessageContaining("is not trusted")
                        .hasMessageContaining("cacert = \"FILE\"");
            }
        } finally {
            server.stop(0);
        }
    }

    /** Files of servers have the form of those of clients. */
    private static SSLContext serving(LocalCertificate own) {
        return ClientTls.ofRedis(Map.of(
                "MILLRACE_REDIS_CERTIFICATE", own.certificate().toString(),
                "MILLRACE_REDIS_KEY", own.key().toString())::get);
    }
}
