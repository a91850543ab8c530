package io.millrace.launcher.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatewayClientTest {

    private static final byte[] ROLES_MISSING = "{\"errors\": [{\"code\": 13014}]}".getBytes(StandardCharsets.UTF_8);

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/login", exchange -> {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"Millrace\"");
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        server.createContext("/query/service", exchange -> {
            exchange.sendResponseHeaders(401, ROLES_MISSING.length);
            exchange.getResponseBody().write(ROLES_MISSING);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void missingLogin_isSaid() {
        try (GatewayClient client = client()) {
            assertThatThrownBy(() -> client.get("/login"))
                    .isInstanceOf(LauncherException.class)
                    .hasMessageContaining("asks for a login");
        }
    }

    @Test
    void statementThatTheRolesDoNotAllow_isNoMatterOfTheLogin() {
        try (GatewayClient client = client()) {
            GatewayClient.Answer answer = client.post("/query/service", "{}");

            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.json().at("/errors/0/code").asInt()).isEqualTo(13014);
        }
    }

    @Test
    void absentServer_isSaidWithoutNamesOfJava() {
        try (GatewayClient client = client()) {
            URI url = client.url();
            server.stop(0);

            assertThatThrownBy(() -> client.get("/login"))
                    .isInstanceOf(LauncherException.class)
                    .hasMessage(
                            "Cannot reach " + url + "/login (nothing accepts connections there). Start Millrace with"
                                    + " ./millrace up, or set MILLRACE_URL to a running gateway");
        }
    }

    private GatewayClient client() {
        return new GatewayClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), null);
    }
}
