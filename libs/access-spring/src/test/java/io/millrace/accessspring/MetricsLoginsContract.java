package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.metakv.MetakvEntries;
import io.millrace.users.ApiKey;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Who reads the metrics of a service that takes no other logins, and that nothing else opens by that. */
public interface MetricsLoginsContract {

    String METRICS = "/actuator/prometheus";

    /** What needs the same right as the metrics. */
    List<String> OTHERS = List.of("/actuator", "/actuator/health", "/actuator/metrics");

    List<Role> READER = Role.parseAll("external_stats_reader");
    String PASSWORD = "right horse";
    Duration PATIENCE = Duration.ofMinutes(1);

    /** Returns the entries in which the service finds its users. */
    MetakvEntries entries();

    /** Returns the port of the service. */
    int port();

    @Test
    default void metrics_areReadByUsersWithARoleForThem_andNothingElseIs() {
        try (UserDirectory users = new UserDirectory(entries(), Clock.systemUTC())) {
            users.save(User.create("other", "", Role.parseAll("data_reader[*]"), PASSWORD))
                    .block();
            users.save(User.create("stats", "", READER, PASSWORD)).block();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(METRICS, basic("stats", PASSWORD)))
                            .isEqualTo(200));

            assertThat(status(METRICS, headers -> {})).isEqualTo(401);
            assertThat(status(METRICS, basic("stats", "wrong horse"))).isEqualTo(401);
            assertThat(status(METRICS, basic("other", PASSWORD))).isEqualTo(403);
            assertThat(OTHERS)
                    .allSatisfy(path ->
                            assertThat(status(path, basic("stats", PASSWORD))).isEqualTo(401));
        }
    }

    @Test
    default void metrics_areReadWithAnApiKeyUntilItIsDeleted_andNothingElseIs() {
        try (UserDirectory users = new UserDirectory(entries(), Clock.systemUTC())) {
            ApiKey.Created key = ApiKey.create(
                    "Prometheus", "root", READER, Clock.systemUTC().instant(), null);
            Consumer<HttpHeaders> bearer = headers -> headers.setBearerAuth(key.token());
            users.save(key.key()).block();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(METRICS, bearer)).isEqualTo(200));

            assertThat(OTHERS)
                    .allSatisfy(path -> assertThat(status(path, bearer)).isEqualTo(401));
            users.deleteKey(key.key().id()).block();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(METRICS, bearer)).isEqualTo(401));
        }
    }

    private static Consumer<HttpHeaders> basic(String user, String password) {
        return headers -> headers.setBasicAuth(user, password);
    }

    private int status(String path, Consumer<HttpHeaders> credentials) {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port())
                .responseTimeout(PATIENCE)
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(8 << 20))
                .build()
                .get()
                .uri(path)
                .header(TestCaller.DIRECT, "yes")
                .headers(credentials)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }
}
