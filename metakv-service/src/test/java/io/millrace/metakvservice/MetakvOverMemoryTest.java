package io.millrace.metakvservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvContract;
import io.millrace.metakv.MetakvEntry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/** The contract through the client and the service, with the documents in memory. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class MetakvOverMemoryTest extends MetakvContract {

    @LocalServerPort
    private int port;

    @Override
    protected MetakvClient metakv() {
        return MetakvClient.http(URI.create("http://127.0.0.1:" + port));
    }

    @Test
    void secrets_areReadAndNotShownInHistories() throws Exception {
        URI service = URI.create("http://127.0.0.1:" + port);
        MetakvClient secrets = MetakvClient.httpForSecrets(service, "tester");
        secrets.set("/secrets/a", "hush".getBytes(StandardCharsets.UTF_8)).block();

        URI history = service.resolve("/_metakv/secrets/a?history");
        String told;
        try (var body = history.toURL().openStream()) {
            told = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(told).contains("\"changedBy\":\"tester\"", "\"sensitive\":true", "\"value\":null");
        assertThat(secrets.get("/secrets/a").map(MetakvEntry::value).block())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("hush");
    }
}
