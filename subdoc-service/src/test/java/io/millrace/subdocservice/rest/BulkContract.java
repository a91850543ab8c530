package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.subdocservice.rest.RestServer.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bulk loads over HTTP. */
abstract class BulkContract extends RestContract {

    Answer load(String lines) {
        return http.post(bucketPath() + "/bulk", lines, "Content-Type", "application/x-ndjson");
    }

    /** Returns the last line of a response. */
    static JsonNode summary(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        String[] lines = answer.text().split("\n");
        JsonNode last = JsonMapper.shared().readTree(lines[lines.length - 1]);
        assertThat(last.get("done").asBoolean()).isTrue();
        return last;
    }

    @Test
    void load_goodAndBadLines() {
        Answer answer = load("""
                {"id":"a","value":{"n": 1.50 , "s":"\\u00e9"}}
                {"id":"b","value":oops}

                 { "value" : [ ] ,"id":"\\u0063/d" }\r
                not json at all
                {"id":"e"}
                {"value":1}
                {"id":7,"value":1}
                {"id":"","value":1}
                {"id":"f","value":1,"valeu":2}
                {"id":"g","value":1,"value":2}
                {"id":"h","value":1} {}
                {"id":"i","value":1,"expiry":"soon"}
                {"id":"\\ud800","value":1}
                {"id":"j","value":"last line, no newline"}""");
        JsonNode summary = summary(answer);

        assertThat(answer.header("Content-Type")).contains("application/x-ndjson");
        assertThat(summary.get("loaded").asInt()).isEqualTo(3);
        assertThat(summary.get("refused").asInt()).isEqualTo(11);
        assertThat(summary.get("lines").asInt()).isEqualTo(14);
        assertThat(refusals(summary))
                .containsExactly(
                        "2 b invalid_json Found 'o' where a value should be at column 19.",
                        "5 - invalid_json Found 'n' where an object should be at column 1.",
                        "6 e invalid_body The member \"value\" is missing.",
                        "7 - invalid_body The member \"id\" is missing.",
                        "8 - invalid_id The member \"id\" must be a string.",
                        "9 - invalid_id",
                        "10 f invalid_body The member \"valeu\" does not exist; a line has \"id\", \"value\" and \"expiry\".",
                        "11 g invalid_body The member \"value\" occurs twice.",
                        "12 h invalid_json Found '{' where the end should be at column 22.",
                        "13 i invalid_parameter",
                        "14 - invalid_id");
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\": 1.50 , \"s\":\"\\u00e9\"}");
        assertThat(http.get(doc("c%2Fd")).text()).isEqualTo("[ ]");
        assertThat(http.get(doc("j")).text()).isEqualTo("\"last line, no newline\"");
        assertThat(http.get(doc("h")).status()).isEqualTo(404);
    }

    /** Each refusal as line, id, code and, unless it comes from the store, the detail. */
    private static List<String> refusals(JsonNode summary) {
        List<String> all = new ArrayList<>();
        for (JsonNode refusal : summary.get("refusals")) {
            String id = refusal.path("id").asString("");
            String error = refusal.get("code").asString();
            String reason = refusal.get("detail").asString();
            assertThat(reason).isNotBlank();
            boolean ours = error.equals("invalid_json") || error.equals("invalid_body") || reason.contains("\"id\"");
            String shown = id.isEmpty() || !UTF_8.newEncoder().canEncode(id) || id.equals("?") ? "-" : id;
            all.add(refusal.get("line").asInt() + " " + shown + " " + error + (ours ? " " + reason : ""));
        }
        return all;
    }

    @Test
    void load_manyBadLines() {
        JsonNode summary = summary(load("{}\n".repeat(250) + "{\"id\":\"a\",\"value\":1}\n"));

        assertThat(summary.get("refused").asInt()).isEqualTo(250);
        assertThat(summary.get("loaded").asInt()).isEqualTo(1);
        assertThat(summary.get("refusals").size()).isEqualTo(100);
        assertThat(summary.get("refusals").get(99).get("line").asInt()).isEqualTo(100);
    }

    @Test
    void load_sameIdAgain() {
        StringBuilder lines = new StringBuilder();
        for (int n = 1; n <= 5000; n++) {
            lines.append("{\"id\":\"")
                    .append(n % 3)
                    .append("\",\"value\":")
                    .append(n)
                    .append("}\n");
        }

        JsonNode summary = summary(load(lines.toString()));

        assertThat(summary.get("loaded").asInt()).isEqualTo(5000);
        assertThat(List.of(
                        http.get(doc("0")).text(),
                        http.get(doc("1")).text(),
                        http.get(doc("2")).text()))
                .containsExactly("4998", "4999", "5000");
    }

    @Test
    void load_expiry() {
        String lines = """
                {"id":"a","value":1}
                {"id":"b","value":1,"expiry":30}
                {"id":"c","value":1,"expiry":"2030-01-31T12:00:00Z"}
                {"id":"d","value":1,"expiry":0}
                """;

        summary(http.post(bucketPath() + "/bulk?expiry=60", lines));

        assertThat(http.get(doc("a")).header("Millrace-Expiry")).contains("2026-11-21T10:01:00Z");
        assertThat(http.get(doc("b")).header("Millrace-Expiry")).contains("2026-11-21T10:00:30Z");
        assertThat(http.get(doc("c")).header("Millrace-Expiry")).contains("2030-01-31T12:00:00Z");
        assertThat(http.get(doc("d")).header("Millrace-Expiry")).isEmpty();
    }

    @Test
    void load_lineBeyondTheLimit() {
        byte[] padding = " ".repeat(1024 * 1024).getBytes(UTF_8);
        var body = HttpRequest.BodyPublishers.ofByteArrays(() -> {
            List<byte[]> parts = new ArrayList<>();
            parts.add("{\"id\":\"a\",\"value\":1}\n{\"id\":\"b\",".getBytes(UTF_8));
            parts.addAll(Collections.nCopies(21, padding));
            parts.add("\"value\":1}\n{\"id\":\"c\",\"value\":1}".getBytes(UTF_8));
            return parts.iterator();
        });

        JsonNode summary = summary(http.send("POST", bucketPath() + "/bulk", body));

        assertThat(summary.get("loaded").asInt()).isEqualTo(2);
        assertThat(summary.get("refusals").get(0).get("line").asInt()).isEqualTo(2);
        assertThat(summary.get("refusals").get(0).get("code").asString()).isEqualTo("line_too_long");
        assertThat(http.get(doc("c")).text()).isEqualTo("1");
    }

    @Test
    void load_collection() {
        http.put(bucketPath() + "/scopes/s", "");
        http.put(bucketPath() + "/scopes/s/collections/c", "");

        summary(http.post(bucketPath() + "/scopes/s/collections/c/bulk", "{\"id\":\"a\",\"value\":1}\n"));

        assertThat(http.get(bucketPath() + "/scopes/s/collections/c/docs/a").status())
                .isEqualTo(200);
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
    }

    @Test
    void load_refusedAsAWhole() {
        String line = "{\"id\":\"a\",\"value\":1}\n";

        assertThat(http.post("/api/v1/buckets/nope/bulk", line).error()).isEqualTo("404 bucket_not_found");
        assertThat(http.post(bucketPath() + "/scopes/s/collections/c/bulk", line)
                        .error())
                .isEqualTo("404 scope_not_found");
        assertThat(http.post(bucketPath() + "/bulk", line, "Content-Type", "text/csv")
                        .error())
                .isEqualTo("415 unsupported_media_type");
        assertThat(http.post(bucketPath() + "/bulk?expiry=x", line).error()).isEqualTo("400 invalid_parameter");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
    }

    @Test
    void load_nothing() {
        assertThat(summary(load("")).get("lines").asInt()).isZero();
    }

    /** A file of real documents, their number, and the id of one. */
    record Sample(Path file, int documents, String id) {}

    /** Sample data that is not part of the repository; without it the test has no cases. */
    static Stream<Sample> samples() {
        String given = System.getenv("MILLRACE_SHARED");
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("mvnw")) && root.getParent() != null) {
            root = root.getParent();
        }
        Path data = (given == null ? root.resolveSibling("shared") : Path.of(given)).resolve("data");
        return Files.isDirectory(data)
                ? Stream.of(
                        new Sample(data.resolve("beer-sample.jsonl"), 7303, "21st_amendment_brewery_cafe"),
                        new Sample(data.resolve("travel-sample-subset.jsonl"), 5050, "airline_10"))
                : Stream.empty();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("samples")
    void load_sampleData(Sample sample) throws IOException {
        String line;
        try (var lines = Files.lines(sample.file)) {
            line = lines.filter(l -> l.startsWith("{\"id\":\"" + sample.id + "\","))
                    .findFirst()
                    .orElseThrow();
        }

        JsonNode summary =
                summary(http.send("POST", bucketPath() + "/bulk", HttpRequest.BodyPublishers.ofFile(sample.file)));

        assertThat(summary.get("loaded").asInt()).isEqualTo(sample.documents);
        assertThat(summary.get("refused").asInt()).isZero();
        assertThat(summary.get("bytes").asLong()).isEqualTo(Files.size(sample.file));
        assertThat(http.get(bucketPath()).json().get("documents").asInt()).isEqualTo(sample.documents);
        String value = http.get(doc(sample.id)).text();
        assertThat("{\"id\":\"" + sample.id + "\",\"value\":" + value + "}").isEqualTo(line);
    }

    /** A file that is cut off in the middle of a line is not reported as complete. */
    @Test
    void load_bodyThatBreaksOff() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the client's disk is gone");
            }
        };
        var start = new ByteArrayInputStream("{\"id\":\"a\",\"value\":1}\n{\"id\":\"b\",\"value\":12".getBytes(UTF_8));
        var body = HttpRequest.BodyPublishers.ofInputStream(() -> new SequenceInputStream(start, broken));

        assertThatThrownBy(() -> http.send("POST", bucketPath() + "/bulk", body))
                .isInstanceOf(UncheckedIOException.class);

        assertThat(http.get(doc("b")).status()).isEqualTo(404);
    }
}
