package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lines of the audit files of a suite are in the stream of all trails as well. */
class AuditStreamIT {

    private static final long COMMAND_SECONDS = 120;

    private final Api api = new Api(RunningSuite.gateway());

    @AfterEach
    void close() {
        api.close();
    }

    private boolean recorded(String query, String service, String resource) {
        Api.Answer answer = api.get("/api/v1/audit?max=1000&" + query).succeeded();
        return StreamSupport.stream(answer.json().path("lines").spliterator(), false)
                .anyMatch(line -> line.path("service").asString().equals(service)
                        && line.path("resource").asString().equals(resource));
    }

    @Test
    void actsAtEveryService_areInTheStream_andTheFilesAreAsThere() throws Exception {
        api.bucket("audited");
        api.put("/_metakv/audited", "1").succeeded();
        api.delete("/api/v1/functions/absent");

        await().atMost(Api.PATIENCE)
                .until(() ->
                        recorded("event=8201&user=Administrator", "subdoc-service", "PUT /api/v1/buckets/audited"));
        await().atMost(Api.PATIENCE)
                .until(() -> recorded("event=config.write", "metakv-service", "PUT /_metakv/audited"));
        await().atMost(Api.PATIENCE)
                .until(() -> recorded("event=32769", "eventing-service", "DELETE /api/v1/functions/absent"));

        Map<String, String> environment = new HashMap<>(RunningSuite.environment());
        environment.put("MILLRACE_LOG_DIR", RunningSuite.logs().toString());
        try (LauncherProcess verify = LauncherProcess.start(environment, "audit", "verify")) {
            assertThat(verify.awaitExit(COMMAND_SECONDS)).as(verify.output()).isZero();
            assertThat(verify.output())
                    .containsPattern("audit-subdoc-service-\\d+\\.jsonl: \\d+ lines as in the stream")
                    .doesNotContain("NOT");
        }
    }
}
