package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** What requests to a public function reach: a real worker on a real Redis, and code that does all that it is asked to do. */
@Timeout(300)
class PublicFunctionIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "public-" + UUID.randomUUID();

    private static RealWorkers workers;

    @BeforeAll
    static void start() {
        workers = new RealWorkers(RedisFixture.url(), NAME);
        workers.putTarget("a", "\"in the bound bucket\"");
        workers.putSource("a", "\"in a bucket without a binding\"");
        workers.start("""
                function OnRequest(request) {
                  const {what} = request.body;
                  try {
                    switch (request.body.via) {
                      case 'N1QL': return {body: [...N1QL(what)]};
                      case 'parameter': return {body: [...N1QL('SELECT RAW b FROM $what b USE KEYS "a"', {what})]};
                      case 'analytics': return {body: [...couchbase.analyticsQuery(what)]};
                      case 'written': return {body: [...N1QL('SELECT RAW 1 FROM `OTHER` USE KEYS "none"')]};
                      case 'publish': publish(what, 'message'); break;
                      case 'curl': return {body: curl('GET', what)};
                      case 'sql': return {body: sql(what, 'SELECT 1')};
                      case 'get': return {body: couchbase.get(what, {id: 'a'})};
                      case 'timer': createTimer(later, new Date(), null, {}); break;
                    }
                    return {body: 'done'};
                  } catch (e) {
                    return {body: `refused: ${e.name} ${e.message}`};
                  }
                }
                function later() {}
                """.replace("OTHER", NAME + "-other"));
    }

    @AfterAll
    static void end() {
        workers.close();
    }

    private static String ask(String via, Object what, boolean toPublicFunction) {
        JsonMapper json = JsonMapper.shared();
        byte[] body =
                json.writeValueAsBytes(json.createObjectNode().put("via", via).putPOJO("what", what));
        byte[] head = "{}".getBytes(StandardCharsets.UTF_8);
        HttpRequest request = new HttpRequest(head, new HttpBody(HttpBody.Kind.JSON, body), "", toPublicFunction);
        RequestResult result = workers.supervisor()
                .request("f", request, Duration.ofSeconds(60))
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        assertThat(result).isInstanceOf(RequestResult.Answered.class);
        return new String(((RequestResult.Answered) result).response().body().bytes(), StandardCharsets.UTF_8);
    }

    private static String select(String bucket) {
        return "SELECT RAW b FROM `%s` b USE KEYS 'a'".formatted(bucket);
    }

    @ParameterizedTest
    @CsvSource({"N1QL", "analytics"})
    void statementOfARequest_reachesTheBoundBucketAlone(String via) {
        assertThat(ask(via, select(workers.target()), true)).isEqualTo("[\"in the bound bucket\"]");
        assertThat(ask(via, select(workers.source()), true))
                .startsWith("refused: ")
                .contains(workers.source(), "request_access", "add a binding");
        assertThat(ask(via, select(workers.source()), false)).isEqualTo("[\"in a bucket without a binding\"]");
    }

    @Test
    void nameOfAKeyspaceInARequest_reachesTheBoundBucketAlone() {
        assertThat(ask("parameter", workers.target(), true)).isEqualTo("[\"in the bound bucket\"]");
        assertThat(ask("parameter", workers.source(), true))
                .startsWith("refused: ")
                .contains("request_access");
    }

    @Test
    void statementThatStandsInTheCode_isRunWithTheRightsOfTheOwner() {
        assertThat(ask("written", "", true)).contains("Keyspace not found", NAME + "-other");
    }

    @ParameterizedTest
    @CsvSource({"publish", "curl", "sql", "get"})
    void bindingThatTheFunctionHasNot_cannotBeNamedInARequest(String via) {
        for (Object what :
                new Object[] {"target", workers.source(), "http://127.0.0.1:1/", "jdbc:sqlite:x", new int[0]}) {
            assertThat(ask(via, what, true)).as("%s %s", via, what).startsWith("refused: ");
        }
    }

    @Test
    void whatTheCodeNames_canBeUsed() {
        assertThat(ask("timer", "", true)).isEqualTo("done");
    }
}
