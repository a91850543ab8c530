package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.subdocservice.rest.RestServer.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Sub-documents over HTTP beyond the vectors: versions, expiry, tombstones, errors, contention. */
abstract class SubDocumentsContract extends RestContract {

    private static final String XATTR = "\"flags\":[\"xattr_path\"]";

    private Answer lookUp(String id, String body, String... headers) {
        return http.post(doc(id) + "/lookup-in", body, headers);
    }

    private Answer mutate(String id, String body, String... headers) {
        return http.post(doc(id) + "/mutate-in", body, headers);
    }

    private static String specs(String... specs) {
        return "{\"specs\":[" + String.join(",", specs) + "]}";
    }

    private static String flagged(String docFlags, String... specs) {
        return "{\"doc_flags\":[" + docFlags + "],\"specs\":[" + String.join(",", specs) + "]}";
    }

    private static String results(Answer answer) {
        return answer.json().get("results").toString();
    }

    @Test
    void lookUp_answersEachPath() {
        String etag = http.put(doc("a"), "{\"n\": 1.50 ,\"list\":[1, 2]}").etag();

        Answer answer = lookUp(
                "a",
                specs(
                        "{\"op\":\"get\",\"path\":\"n\"}",
                        "{\"op\":\"get\",\"path\":\"nope\"}",
                        "{\"op\":\"exists\",\"path\":\"list[-1]\"}",
                        "{\"op\":\"get_count\",\"path\":\"list\"}",
                        "{\"op\":\"get\",\"path\":\"list\"}"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.etag()).isEqualTo(etag);
        assertThat(answer.json().get("subdoc_status").asString()).isEqualTo("MULTI_PATH_FAILURE");
        assertThat(answer.json().get("cas").asString()).isEqualTo(etag.replace("\"", ""));
        assertThat(answer.text())
                .endsWith("\"results\":[{\"index\":0,\"status\":\"SUCCESS\",\"value\":1.50},"
                        + "{\"index\":1,\"status\":\"PATH_ENOENT\"},{\"index\":2,\"status\":\"SUCCESS\"},"
                        + "{\"index\":3,\"status\":\"SUCCESS\",\"value\":2},"
                        + "{\"index\":4,\"status\":\"SUCCESS\",\"value\":[1, 2]}]}");
    }

    @Test
    void single_isAnsweredByItself() {
        http.put(doc("a"), "{\"n\":1}");

        Answer read = lookUp("a", "{\"op\":\"get\",\"path\":\"n\"}");
        Answer counted = mutate("a", "{\"op\":\"counter\",\"path\":\"n\",\"value\":41}");
        Answer missing = lookUp("a", "{\"op\":\"get\",\"path\":\"nope\"}");

        assertThat(read.json().get("value").asInt()).isEqualTo(1);
        assertThat(counted.json().get("value").asInt()).isEqualTo(42);
        assertThat(missing.error()).isEqualTo("422 path_failed");
        assertThat(missing.json().get("subdoc_status").asString()).isEqualTo("PATH_ENOENT");
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":42}");
    }

    @Test
    void mutate_isAllOrNothing() {
        String etag = http.put(doc("a"), "{ \"n\" : 1 }").etag();

        Answer failed = mutate(
                "a",
                specs(
                        "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}",
                        "{\"op\":\"dict_add\",\"path\":\"n\",\"value\":1}",
                        "{\"op\":\"remove\",\"path\":\"n\"}"));

        assertThat(failed.error()).isEqualTo("422 path_failed");
        assertThat(failed.json().get("subdoc_status").asString()).isEqualTo("MULTI_PATH_FAILURE");
        assertThat(results(failed)).isEqualTo("[{\"index\":1,\"status\":\"PATH_EEXISTS\"}]");
        assertThat(http.get(doc("a")).text()).isEqualTo("{ \"n\" : 1 }");
        assertThat(http.get(doc("a")).etag()).isEqualTo(etag);
    }

    @Test
    void mutate_keepsTheSpellingOfEverythingElse() {
        http.put(doc("a"), " {\"z\": 1.50e+3 ,\"list\":[ ] , \"n\":12345678901234567890123}\n");

        Answer answer = mutate(
                "a",
                specs(
                        "{\"op\":\"array_push_last\",\"path\":\"list\",\"values\":[ 1.0, \"x\" ]}",
                        "{\"op\":\"array_push_last\",\"path\":\"list\",\"value\":[ 1.0 ]}",
                        "{\"op\":\"dict_upsert\",\"path\":\"a.b\",\"raw\":\" {} \",\"flags\":[\"mkdir_p\"]}",
                        "{\"op\":\"replace\",\"path\":\"z\",\"value\":1E0}"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(http.get(doc("a")).text())
                .isEqualTo(" {\"z\": 1E0 ,\"list\":[ 1.0, \"x\" ,[ 1.0 ]] , \"n\":12345678901234567890123,"
                        + "\"a\":{\"b\": {} }}\n");
        assertThat(http.get(doc("a")).etag()).isEqualTo(answer.etag());
    }

    @Test
    void ifMatch_decidesAboutTheVersion() {
        String first = http.put(doc("a"), "{\"n\":1}").etag();
        String second = mutate("a", specs("{\"op\":\"counter\",\"path\":\"n\",\"value\":1}"), "If-Match", first)
                .etag();

        Answer stale = mutate("a", specs("{\"op\":\"counter\",\"path\":\"n\",\"value\":1}"), "If-Match", first);
        Answer staleRead = lookUp("a", "{\"op\":\"get\",\"path\":\"n\"}", "If-Match", first);
        Answer read = lookUp("a", "{\"op\":\"get\",\"path\":\"n\"}", "If-Match", second);
        Answer absent = mutate("b", specs("{\"op\":\"counter\",\"path\":\"n\",\"value\":1}"), "If-Match", first);

        assertThat(stale.error()).isEqualTo("412 precondition_failed");
        assertThat(stale.json().get("subdoc_status").asString()).isEqualTo("KEY_EEXISTS");
        assertThat(stale.etag()).isEqualTo(second);
        assertThat(staleRead.error()).isEqualTo("412 precondition_failed");
        assertThat(read.json().get("value").asInt()).isEqualTo(2);
        assertThat(absent.error()).isEqualTo("412 precondition_failed");
    }

    @Test
    void document_isCreatedWhereAllowed() {
        String counter = "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}";

        assertThat(mutate("a", specs(counter)).error()).isEqualTo("404 document_not_found");
        assertThat(mutate("a", specs(counter), "If-Match", "*").error()).isEqualTo("404 document_not_found");
        assertThat(mutate("a", flagged("\"mkdoc\"", counter)).status()).isEqualTo(200);
        assertThat(mutate("a", flagged("\"mkdoc\"", counter)).status()).isEqualTo(200);
        assertThat(mutate("a", flagged("\"add\"", counter)).error()).isEqualTo("409 document_exists");
        assertThat(mutate("a", specs(counter), "If-None-Match", "*").error()).isEqualTo("412 precondition_failed");
        assertThat(mutate("b", specs(counter), "If-None-Match", "*").status()).isEqualTo(200);
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":2}");
        assertThat(http.get(doc("b")).text()).isEqualTo("{\"n\":1}");
    }

    @Test
    void expiry_isClearedUnlessItIsPreserved() {
        String counter = specs("{\"op\":\"counter\",\"path\":\"n\",\"value\":1}");
        http.put(doc("a"), "{}");

        http.post(doc("a") + "/mutate-in?expiry=60", counter);
        String begun = http.get(doc("a")).header("Millrace-Expiry").orElseThrow();
        clock.advance(Duration.ofSeconds(30));
        http.post(doc("a") + "/mutate-in?preserve_expiry=true", counter);
        String kept = http.get(doc("a")).header("Millrace-Expiry").orElseThrow();
        Answer exptime = lookUp("a", "{\"op\":\"get\",\"path\":\"$document.exptime\"," + XATTR + "}");
        http.post(doc("a") + "/mutate-in", counter, "Expires-In", "100");
        String later = http.get(doc("a")).header("Millrace-Expiry").orElseThrow();
        mutate("a", counter);

        assertThat(kept).isEqualTo(begun);
        assertThat(exptime.json().get("value").asLong())
                .isEqualTo(Instant.parse(begun).getEpochSecond());
        assertThat(later).isGreaterThan(begun);
        assertThat(http.get(doc("a")).header("Millrace-Expiry")).isEmpty();
        assertThat(http.post(doc("a") + "/lookup-in?expiry=60", "{\"op\":\"get\",\"path\":\"n\"}")
                        .error())
                .isEqualTo("400 invalid_parameter");
    }

    @Test
    void attributes_macrosAndVirtualOnes() {
        http.put(doc("a"), "{\"n\":1}");

        Answer written = mutate(
                "a",
                specs(
                        "{\"op\":\"dict_upsert\",\"path\":\"audit.cas\",\"value\":\"${Mutation.CAS}\","
                                + "\"flags\":[\"xattr_path\",\"expand_macros\",\"mkdir_p\"]}",
                        "{\"op\":\"dict_upsert\",\"path\":\"_sys\",\"value\":{\"by\":\"me\"}," + XATTR + "}",
                        "{\"op\":\"dict_upsert\",\"path\":\"bytes\",\"base64\":\"AAH/\","
                                + "\"flags\":[\"xattr_path\",\"binary_value\"]}",
                        "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}"));
        Answer read = lookUp(
                "a",
                specs(
                        "{\"op\":\"get\",\"path\":\"audit.cas\"," + XATTR + "}",
                        "{\"op\":\"get\",\"path\":\"$document.CAS\"," + XATTR + "}",
                        "{\"op\":\"get\",\"path\":\"$XTOC\"," + XATTR + "}",
                        "{\"op\":\"get\",\"path\":\"bytes\",\"flags\":[\"xattr_path\",\"binary_value\"]}",
                        "{\"op\":\"get\",\"path\":\"$nope\"," + XATTR + "}",
                        "{\"op\":\"get_doc\"}"));

        assertThat(written.status()).isEqualTo(200);
        assertThat(results(written)).isEqualTo("[{\"index\":3,\"status\":\"SUCCESS\",\"value\":2}]");
        long cas = written.json().get("cas").asLong();
        JsonNode results = read.json().get("results");
        assertThat(results.get(0).get("value").asString()).isEqualTo("0x%016x".formatted(Long.reverseBytes(cas)));
        assertThat(results.get(1).get("value").asString()).isEqualTo("0x%016x".formatted(cas));
        assertThat(results.get(2).get("value").toString()).isEqualTo("[\"_sys\",\"audit\",\"bytes\"]");
        assertThat(results.get(3).get("base64").asString()).isEqualTo("AAH/");
        assertThat(results.get(4).get("status").asString()).isEqualTo("XATTR_UNKNOWN_VATTR");
        assertThat(results.get(5).get("value").toString()).isEqualTo("{\"n\":2}");
    }

    @Test
    void tombstone_isMadeReadAndRevived() {
        String stage = "{\"op\":\"dict_upsert\",\"path\":\"txn\",\"value\":{\"n\":1}," + XATTR + "}";
        String read = "{\"op\":\"get\",\"path\":\"txn.n\"," + XATTR + "}";

        Answer made = mutate("a", flagged("\"mkdoc\",\"access_deleted\",\"create_as_deleted\"", stage));
        Answer hidden = lookUp("a", specs(read));
        Answer seen = lookUp("a", flagged("\"access_deleted\"", read));
        int gone = http.get(doc("a")).status();
        Answer revived = mutate(
                "a",
                flagged(
                        "\"access_deleted\",\"revive_document\"",
                        "{\"op\":\"replace_body_with_xattr\",\"path\":\"txn\"," + XATTR + "}",
                        "{\"op\":\"remove\",\"path\":\"txn\"," + XATTR + "}"),
                "If-Match",
                made.etag());
        Answer again = mutate("a", flagged("\"access_deleted\",\"revive_document\"", stage));

        assertThat(made.json().get("subdoc_status").asString()).isEqualTo("SUCCESS_DELETED");
        assertThat(hidden.error()).isEqualTo("404 document_not_found");
        assertThat(seen.json().get("subdoc_status").asString()).isEqualTo("SUCCESS_DELETED");
        assertThat(results(seen)).contains("\"value\":1");
        assertThat(gone).isEqualTo(404);
        assertThat(revived.json().path("subdoc_status").asString("")).isEqualTo("SUCCESS");
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":1}");
        assertThat(again.json().get("subdoc_status").asString()).isEqualTo("CAN_ONLY_REVIVE_DELETED_DOCUMENTS");
    }

    @Test
    void tombstone_keepsItsUserAttributesOnlyWhenRevived() {
        String stage = "{\"op\":\"dict_upsert\",\"path\":\"txn\",\"value\":{\"n\":1}," + XATTR + "}";
        String read = specs("{\"op\":\"get\",\"path\":\"txn.n\"," + XATTR + "}");
        mutate("replaced", flagged("\"mkdoc\",\"access_deleted\",\"create_as_deleted\"", stage));
        mutate("revived", flagged("\"mkdoc\",\"access_deleted\",\"create_as_deleted\"", stage));

        http.put(doc("replaced"), "{}");
        mutate(
                "revived",
                flagged(
                        "\"access_deleted\",\"revive_document\"",
                        "{\"op\":\"replace_body_with_xattr\",\"path\":\"txn\"," + XATTR + "}"));

        assertThat(results(lookUp("replaced", read))).contains("PATH_ENOENT");
        assertThat(results(lookUp("revived", read))).contains("\"value\":1");
        assertThat(http.get(doc("revived")).text()).isEqualTo("{\"n\":1}");
    }

    @Test
    void wholeDocument_isSetAndDeleted() {
        http.put(doc("a"), "{\"n\":1}");
        String mark = "{\"op\":\"dict_upsert\",\"path\":\"_sys\",\"value\":1," + XATTR + "}";

        mutate("a", specs(mark, "{\"op\":\"set_doc\",\"value\":{ \"m\":2}}"));
        String set = http.get(doc("a")).text();
        mutate("a", specs("{\"op\":\"delete_doc\"}"));

        assertThat(set).isEqualTo("{ \"m\":2}");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
        assertThat(results(
                        lookUp("a", flagged("\"access_deleted\"", "{\"op\":\"get\",\"path\":\"_sys\"," + XATTR + "}"))))
                .contains("\"value\":1");
    }

    @Test
    void userFlags_areSetAndShown() {
        http.put(doc("a"), "{}");

        mutate("a", "{\"user_flags\":4294967295,\"op\":\"dict_add\",\"path\":\"n\",\"value\":1}");

        assertThat(lookUp("a", "{\"op\":\"get\",\"path\":\"$document.flags\"," + XATTR + "}")
                        .json()
                        .get("value")
                        .asLong())
                .isEqualTo(0xffff_ffffL);
    }

    @Test
    void value_thatIsNotJson() {
        http.send("PUT", doc("a"), new byte[] {0, -1}, "Content-Type", "application/octet-stream");

        Answer whole = lookUp("a", specs("{\"op\":\"get_doc\"}"));
        Answer path = lookUp("a", "{\"op\":\"get\",\"path\":\"n\"}");

        assertThat(results(whole)).isEqualTo("[{\"index\":0,\"status\":\"SUCCESS\",\"base64\":\"AP8=\"}]");
        assertThat(path.json().get("subdoc_status").asString()).isEqualTo("DOC_NOTJSON");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                            | 400 invalid_body  | \"op\" is missing, or",
                "[]                                                            | 400 invalid_json  | Found '['",
                "{\"specs\":[{\"op\":\"get\"                                   | 400 invalid_json  | ends",
                "{\"specs\":{}}                                                | 400 invalid_body  | \"specs\" must be an array",
                "{\"specs\":[7]}                                               | 400 invalid_body  | in spec 0",
                "{\"specs\":[{}]}                                              | 400 invalid_body  | in spec 0",
                "{\"specs\":[{\"op\":\"got\",\"path\":\"n\"}]}                 | 400 invalid_body  | lookup-in has get,",
                "{\"specs\":[{\"op\":1}]}                                      | 400 invalid_body  | \"op\" takes only strings",
                "{\"specs\":[{\"op\":\"counter\",\"paht\":\"n\"}]}             | 400 invalid_body  | The member \"paht\" does not exist",
                "{\"specs\":[],\"op\":\"counter\"}                             | 400 invalid_body  | must be inside one of the",
                "{\"op\":\"counter\",\"op\":\"counter\"}                       | 400 invalid_body  | occurs twice",
                "{\"op\":\"counter\",\"flags\":[\"xattr\"]}                    | 400 invalid_body  | mkdir_p, xattr_path,",
                "{\"op\":\"counter\",\"doc_flags\":\"mkdoc\"}                  | 400 invalid_body  | must be an array",
                "{\"op\":\"counter\",\"doc_flags\":[\"upsert\"]}               | 400 invalid_body  | mkdoc, add,",
                "{\"op\":\"counter\",\"user_flags\":4294967296}                | 400 invalid_body  | 0 to 4294967295",
                "{\"op\":\"counter\",\"path\":\"\\ud834\"}                     | 400 invalid_body  | surrogate",
                "{\"op\":\"counter\",\"path\":\"n\",\"value\":1,\"raw\":\"1\"} | 400 invalid_body  | only one of",
                "{\"op\":\"counter\",\"path\":\"n\",\"base64\":\"?\"}          | 400 invalid_body  | not base64",
                "{\"op\":\"get\",\"path\":\"n\"}                               | 400 invalid_specs | all mutations",
                "{\"op\":\"counter\",\"path\":\"n\"}                           | 400 invalid_specs | lacks one",
                "{\"op\":\"counter\",\"path\":\"n..m\",\"value\":1}            | 422 path_failed   | path is not valid",
                "{\"op\":\"counter\",\"path\":\"n\",\"value\":0}               | 422 path_failed   | other than 0",
                "{\"specs\":[]}                                                | 400 invalid_specs | 1 to 16",
            })
    void request_thatIsNotValid(String body, String error, String message) {
        String etag = http.put(doc("a"), "{\"n\":1}").etag();

        Answer refused = mutate("a", body);

        assertThat(refused.error()).isEqualTo(error);
        assertThat(refused.json().get("detail").asString()).contains(message);
        assertThat(http.get(doc("a")).etag()).isEqualTo(etag);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 20_000})
    void request_withTooManySpecs(int count) {
        http.put(doc("a"), "{\"n\":1}");
        List<String> specs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            specs.add("{\"op\":\"get\",\"path\":\"n\"}");
        }

        Answer refused = lookUp("a", specs(specs.toArray(String[]::new)));

        assertThat(refused.error()).isEqualTo("400 invalid_specs");
        assertThat(refused.json().get("subdoc_status").asString()).isEqualTo("INVALID_COMBO");
        assertThat(lookUp("a", specs(specs.subList(0, 16).toArray(String[]::new)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void request_thatIsRefusedByItsHead() {
        String body = "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}";

        assertThat(mutate("a", body, "Content-Type", "text/plain").error()).isEqualTo("415 unsupported_media_type");
        assertThat(mutate("a", body, "If-Match", "abc").error()).isEqualTo("400 invalid_header");
        assertThat(mutate("a", body, "If-Match", "99999999999999999999").error())
                .isEqualTo("400 invalid_header");
        assertThat(mutate("a", body, "If-Match", "9999999999999999999").error()).isEqualTo("400 invalid_header");
        assertThat(lookUp("a", body, "If-None-Match", "*").error()).isEqualTo("400 invalid_header");
        assertThat(http.post(doc("a") + "/mutate-in?expiry=x", body).error()).isEqualTo("400 invalid_parameter");
        assertThat(http.get(doc("a") + "/lookup-in").error()).isEqualTo("405 method_not_allowed");
        assertThat(http.post("/api/v1/buckets/nope/docs/a/lookup-in", "{\"op\":\"exists\",\"path\":\"n\"}")
                        .error())
                .isEqualTo("404 bucket_not_found");
        assertThat(http.post("/api/v1/buckets/_sys/docs/a/mutate-in", body).error())
                .isEqualTo("403 system_bucket");
    }

    @Test
    void keyspace_isTheOneNamed() {
        http.put(bucketPath() + "/scopes/s", "");
        http.put(bucketPath() + "/scopes/s/collections/c", "");
        String path = bucketPath() + "/scopes/s/collections/c/docs/a%2Fb";
        http.put(path, "{\"n\":1}");

        Answer counted = http.post(path + "/mutate-in", "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}");

        assertThat(counted.json().get("value").asInt()).isEqualTo(2);
        assertThat(http.get(path).text()).isEqualTo("{\"n\":2}");
        assertThat(http.get(doc("a%2Fb")).status()).isEqualTo(404);
    }

    @Test
    void repetition_changesNothing() {
        http.put(doc("a"), "{\"n\":1}");
        String counter = "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}";
        String add = "{\"op\":\"dict_add\",\"path\":\"m\",\"value\":1}";

        Answer first = mutate("a", counter, "Idempotency-Key", "k1");
        Answer repeated = mutate("a", counter, "Idempotency-Key", "k1");
        Answer added = mutate("a", add, "Idempotency-Key", "k2", "If-Match", first.etag());
        Answer addedAgain = mutate("a", add, "Idempotency-Key", "k2", "If-Match", first.etag());

        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.header("Idempotent-Replayed")).contains("true");
        assertThat(repeated.etag()).isEqualTo(first.etag());
        assertThat(addedAgain.status()).isEqualTo(200);
        assertThat(addedAgain.etag()).isEqualTo(added.etag());
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":2,\"m\":1}");
        assertThat(mutate("a", counter, "Idempotency-Key", " ").error()).isEqualTo("400 invalid_header");
    }

    @Test
    void hotDocument_losesNothing() {
        int clients = 50;
        int each = 8;
        http.put(doc("hot"), "{\"n\":0,\"log\":[]}");

        // two servers: each runs its own changes in order, and the two compete by CAS
        List<String> failures = new ArrayList<>();
        try (RestServer other = new RestServer(store(), clock);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                RestServer server = client % 2 == 0 ? http : other;
                for (int i = 0; i < each; i++) {
                    String body = specs(
                            "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}",
                            "{\"op\":\"array_push_last\",\"path\":\"log\",\"value\":\"%d-%d\"}".formatted(client, i));
                    answers.add(
                            CompletableFuture.supplyAsync(() -> server.post(doc("hot") + "/mutate-in", body), threads));
                }
            }
            for (CompletableFuture<Answer> answer : answers) {
                if (answer.join().status() != 200) {
                    failures.add(answer.join().text());
                }
            }
        }

        JsonNode document = http.get(doc("hot")).json();
        assertThat(failures).isEmpty();
        assertThat(document.get("n").asInt()).isEqualTo(clients * each);
        assertThat(document.get("log").valueStream().map(JsonNode::asString))
                .hasSize(clients * each)
                .doesNotHaveDuplicates();
    }

    @Test
    void body_thatIsTooLarge() {
        byte[] body =
                ("{\"op\":\"set_doc\",\"value\":\"" + "x".repeat(RestLimits.MAX_SPECS_BYTES) + "\"}").getBytes(UTF_8);

        assertThat(http.send("POST", doc("a") + "/mutate-in", body).error()).isEqualTo("413 body_too_large");
    }

    @Test
    void document_thatWouldBecomeTooLarge() {
        http.put(doc("a"), "{\"s\":\"" + "x".repeat(20 * 1024 * 1024 - 20) + "\"}");

        Answer refused = mutate("a", "{\"op\":\"dict_add\",\"path\":\"t\",\"value\":\"12345678901234567890\"}");

        assertThat(refused.error()).isEqualTo("413 document_too_large");
        assertThat(refused.json().get("subdoc_status").asString()).isEqualTo("E2BIG");
    }
}
