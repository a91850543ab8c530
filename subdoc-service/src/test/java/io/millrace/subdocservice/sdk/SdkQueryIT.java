package io.millrace.subdocservice.sdk;

import static com.couchbase.client.java.query.QueryOptions.queryOptions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.IndexExistsException;
import com.couchbase.client.core.error.IndexNotFoundException;
import com.couchbase.client.core.error.ParsingFailureException;
import com.couchbase.client.core.error.PlanningFailureException;
import com.couchbase.client.core.error.TimeoutException;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.query.QueryMetaData;
import com.couchbase.client.java.query.QueryResult;
import com.couchbase.client.java.query.QueryScanConsistency;
import com.couchbase.client.java.query.QueryStatus;
import com.couchbase.client.java.query.ReactiveQueryResult;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** {@code cluster.query} of the SDK. */
class SdkQueryIT {

    private static final int DOCUMENTS = 300;

    private final SdkKit kit = SdkKit.shared();
    private final Cluster cluster = kit.cluster;
    private final String type = UUID.randomUUID().toString();
    private final String bucket = "`" + kit.bucket.name() + "`";

    @BeforeEach
    void writeDocuments() {
        Collection documents = kit.bucket.defaultCollection();
        for (int n = 0; n < DOCUMENTS; n++) {
            documents.insert(
                    "%s-%03d".formatted(type, n),
                    JsonObject.create().put("type", type).put("n", n));
        }
        cluster.query("CREATE PRIMARY INDEX IF NOT EXISTS ON " + bucket);
    }

    @Test
    void statements_areRun() {
        QueryResult result = cluster.query(
                "SELECT d.n FROM %s d WHERE d.type = '%s' AND d.n < 3 ORDER BY d.n".formatted(bucket, type),
                queryOptions()
                        .metrics(true)
                        .clientContextId("mine")
                        .scanConsistency(QueryScanConsistency.REQUEST_PLUS));

        assertThat(result.rowsAsObject())
                .containsExactly(
                        JsonObject.create().put("n", 0),
                        JsonObject.create().put("n", 1),
                        JsonObject.create().put("n", 2));
        QueryMetaData told = result.metaData();
        assertThat(told.status()).isEqualTo(QueryStatus.SUCCESS);
        assertThat(told.clientContextId()).isEqualTo("mine");
        assertThat(told.metrics().orElseThrow().resultCount()).isEqualTo(3);
    }

    @Test
    void parameters_haveNamesOrPlaces() {
        String statement = "SELECT RAW d.n FROM " + bucket + " d WHERE d.type = %s AND d.n >= %s ORDER BY d.n";

        assertThat(cluster.query(
                                statement.formatted("$type", "$least"),
                                queryOptions()
                                        .parameters(JsonObject.create()
                                                .put("type", type)
                                                .put("least", DOCUMENTS - 2)))
                        .rowsAs(Integer.class))
                .containsExactly(DOCUMENTS - 2, DOCUMENTS - 1);
        assertThat(cluster.query(
                                statement.formatted("$1", "$2"),
                                queryOptions().parameters(JsonArray.from(type, DOCUMENTS - 1)))
                        .rowsAs(Integer.class))
                .containsExactly(DOCUMENTS - 1);
    }

    @Test
    void preparedStatements_areRunAgain() {
        String statement = "SELECT RAW COUNT(*) FROM " + bucket + " d WHERE d.type = $type";

        for (String wanted : List.of(type, "none", type)) {
            List<Integer> count = cluster.query(
                            statement,
                            queryOptions()
                                    .adhoc(false)
                                    .parameters(JsonObject.create().put("type", wanted)))
                    .rowsAs(Integer.class);

            assertThat(count).containsExactly(wanted.equals(type) ? DOCUMENTS : 0);
        }
    }

    @Test
    void changes_areSeenByTheKeyValueRoad() {
        List<JsonObject> changed = cluster.query(
                        "UPDATE %s d SET d.seen = true WHERE d.type = $1 AND d.n = 7 RETURNING META(d).id, d.seen"
                                .formatted(bucket),
                        queryOptions().parameters(JsonArray.from(type)))
                .rowsAsObject();

        assertThat(changed)
                .containsExactly(JsonObject.create().put("id", type + "-007").put("seen", true));
        assertThat(kit.bucket
                        .defaultCollection()
                        .get(type + "-007")
                        .contentAsObject()
                        .getBoolean("seen"))
                .isTrue();
    }

    /** The SDK reads a cancelled response to its end, so the test cancels the statement at the server. */
    @Test
    void rows_areStreamed_andTheRestIsCancelled() throws Exception {
        List<Integer> first = cluster.reactive()
                .query(endless(), queryOptions().clientContextId(type))
                .flatMapMany(result -> result.rowsAs(Integer.class))
                .take(5)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(first).hasSize(5);
        String id = activeRequest().orElseThrow();
        assertThat(send(HttpRequest.newBuilder(uri("/admin/active_requests/" + id))
                                .DELETE()
                                .build())
                        .statusCode())
                .isEqualTo(200);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> activeRequest().isEmpty());
    }

    @Test
    void clientThatDisconnects_cancelsItsStatement() throws Exception {
        byte[] body = JsonObject.create()
                .put("statement", endless())
                .put("client_context_id", type)
                .toBytes();
        try (Socket socket = new Socket("127.0.0.1", kit.httpPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "POST /query/service HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                            .formatted(body.length)
                            .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            assertThat(socket.getInputStream().readNBytes(20_000)).hasSize(20_000);
            assertThat(activeRequest()).isPresent();
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> activeRequest().isEmpty());
    }

    @Test
    void errors_areThoseOfTheSdk() {
        assertThatThrownBy(() -> cluster.query("SELEC 1")).isInstanceOf(ParsingFailureException.class);
        assertThatThrownBy(() -> cluster.query("SELECT * FROM %s.s.c".formatted(bucket)))
                .isInstanceOf(PlanningFailureException.class);
        assertThatThrownBy(() -> cluster.query("CREATE PRIMARY INDEX ON " + bucket))
                .isInstanceOf(IndexExistsException.class);
        assertThatThrownBy(() -> cluster.query("DROP INDEX nosuch ON " + bucket))
                .isInstanceOf(IndexNotFoundException.class);
        assertThatThrownBy(() -> cluster.query("INSERT INTO %s VALUES ('%s-000', {})".formatted(bucket, type)))
                .isInstanceOf(DocumentExistsException.class);
        assertThatThrownBy(() -> cluster.query(
                        "SELECT COUNT(*) FROM %1$s a, %1$s b, %1$s c, %1$s d".formatted(bucket),
                        queryOptions().timeout(Duration.ofMillis(500))))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void reactiveResult_passesItsErrorToTheSubscriber() {
        Mono<ReactiveQueryResult> result = cluster.reactive().query("SELECT RAW 1 FROM nowhere_at_all");

        assertThatThrownBy(() -> result.flatMapMany(ReactiveQueryResult::rowsAsObject)
                        .collectList()
                        .block(Duration.ofSeconds(30)))
                .hasMessageContaining("nowhere_at_all");
    }

    private String endless() {
        // documents of other tests have no n
        return "SELECT RAW a.n FROM %1$s a, %1$s b, %1$s c WHERE a.n IS VALUED".formatted(bucket);
    }

    /** Returns the id of the running statement of this test. */
    private Optional<String> activeRequest() throws Exception {
        JsonArray active = JsonArray.fromJson(
                send(HttpRequest.newBuilder(uri("/admin/active_requests")).build())
                        .body());
        for (int i = 0; i < active.size(); i++) {
            if (type.equals(active.getObject(i).getString("clientContextID"))) {
                return Optional.of(active.getObject(i).getString("requestId"));
            }
        }
        return Optional.empty();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + kit.httpPort() + path);
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
