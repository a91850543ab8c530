package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Runs one of the conformance cases of the changes feed. */
final class CouchVectors {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    private final CouchKit couch;
    private final String database;
    private final Map<String, JsonNode> saved = new HashMap<>();

    private CouchVectors(CouchKit couch) {
        this.couch = couch;
        this.database = couch.newDatabase();
    }

    static JsonNode file() throws IOException {
        for (Path root = Path.of("").toAbsolutePath(); root != null; root = root.getParent()) {
            Path file = root.resolve("shared/conformance/changes/vectors.json");
            if (Files.exists(file)) {
                return CouchKit.JSON.readTree(Files.readAllBytes(file));
            }
        }
        return CouchKit.JSON.readTree("{\"cases\":[]}");
    }

    static Stream<JsonNode> cases() throws IOException {
        return file().path("cases").valueStream();
    }

    static void run(CouchKit couch, JsonNode setups, JsonNode testCase) throws Exception {
        CouchVectors vectors = new CouchVectors(couch);
        JsonNode setup = testCase.path("setup");
        vectors.steps(setup.isString() ? setups.path(setup.asString()) : setup);
        vectors.steps(testCase.path("steps"));
        couch.send("DELETE", vectors.database, null);
    }

    private void steps(JsonNode steps) throws Exception {
        for (JsonNode step : steps) {
            step(step);
        }
    }

    private void step(JsonNode step) throws Exception {
        if (step.has("wait")) {
            pause(step.path("wait").asLong());
        } else if (step.has("db_delete")) {
            assertThat(couch.send("DELETE", database, null).status()).isEqualTo(200);
        } else if (step.has("req")) {
            request(step);
        } else {
            changes(step);
        }
    }

    /** An action at a given time while a feed is open. */
    private static void pause(long millis) {
        Mono.delay(Duration.ofMillis(millis)).block();
    }

    private String filled(String text) {
        Matcher variable = VARIABLE.matcher(text);
        return variable.replaceAll(
                found -> Matcher.quoteReplacement(saved.get(found.group(1)).asString()));
    }

    private void request(JsonNode step) {
        String method = step.path("req").get(0).asString();
        String path = filled(step.path("req").get(1).asString());
        String body = step.has("body") ? filled(step.path("body").toString()) : null;
        CouchKit.Answer answer = couch.send(method, database + path, body);
        if (step.has("status")) {
            assertThat(answer.status())
                    .as(answer.text())
                    .isEqualTo(step.path("status").asInt());
        } else {
            assertThat(answer.status()).as(path + " " + answer.text()).isLessThan(300);
        }
        step.path("match")
                .properties()
                .forEach(entry -> assertThat(answer.json().path(entry.getKey())).isEqualTo(entry.getValue()));
        step.path("save").properties().forEach(entry -> saved.put(entry.getKey(), at(answer.json(), entry.getValue())));
    }

    private static JsonNode at(JsonNode root, JsonNode path) {
        JsonNode node = root;
        for (String part : path.asString().split("\\.")) {
            node = node.isArray() ? node.path(Integer.parseInt(part)) : node.path(part);
        }
        return node;
    }

    /** The result of a changes request. */
    private record Seen(int status, Map<String, String> headers, String body, boolean ended, long millis) {}

    private void changes(JsonNode step) throws Exception {
        Map<String, String> query = new LinkedHashMap<>();
        step.path("changes")
                .properties()
                .forEach(entry -> query.put(
                        entry.getKey(),
                        filled(
                                entry.getValue().isString()
                                        ? entry.getValue().asString()
                                        : entry.getValue().toString())));
        List<String> headers = new ArrayList<>();
        step.path("headers").properties().forEach(entry -> {
            headers.add(entry.getKey());
            headers.add(filled(entry.getValue().asString()));
        });
        String method = step.path("method").asString("GET");
        String body = !step.has("body")
                ? null
                : step.path("body").isString()
                        ? step.path("body").asString()
                        : filled(step.path("body").toString());
        String path = database + "/_changes" + (query.isEmpty() ? "" : "?" + CouchKit.parameters(query));
        Seen seen = send(method, path, body, headers.toArray(String[]::new), step);
        String feed = step.has("as") ? step.path("as").asString() : query.getOrDefault("feed", "normal");
        check(step, seen, seen.status() >= 300 ? "normal" : feed);
    }

    private Seen send(String method, String path, String body, String[] headers, JsonNode step) throws Exception {
        long begin = System.nanoTime();
        HttpResponse<InputStream> response = couch.open(couch.request(method, path, body, headers));
        CompletableFuture<Void> during = CompletableFuture.completedFuture(null);
        if (step.has("during")) {
            during = CompletableFuture.runAsync(() -> {
                try {
                    pause(step.path("during_delay").asLong(30));
                    steps(step.path("during"));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
        StringBuffer text = new StringBuffer();
        CompletableFuture<Boolean> reading = CompletableFuture.supplyAsync(() -> {
            try (InputStream in = response.body()) {
                byte[] buffer = new byte[8192];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    text.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
                }
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        during.get(60, TimeUnit.SECONDS); // a slow machine does not take from the time that is left for reading
        boolean ended = reading.completeOnTimeout(
                        false, step.path("abort_after").asLong(20_000), TimeUnit.MILLISECONDS)
                .get();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        response.body().close();
        Map<String, String> sent = new HashMap<>();
        response.headers().map().forEach((name, values) -> sent.put(name.toLowerCase(), values.getFirst()));
        return new Seen(response.statusCode(), sent, text.toString(), ended, millis);
    }

    /** The rows of a response and its other members. */
    private static final class Parsed {
        private final List<JsonNode> rows = new ArrayList<>();
        private final List<String> eventIds = new ArrayList<>();
        private final List<String> badLines = new ArrayList<>();
        private ObjectNode rest = CouchKit.JSON.createObjectNode();
        private boolean finalLine;
        private int heartbeats;

        static Parsed of(String body, String feed) {
            Parsed parsed = new Parsed();
            switch (feed) {
                case "continuous", "live" -> parsed.lines(body);
                case "eventsource" -> parsed.events(body);
                default -> parsed.document(body);
            }
            return parsed;
        }

        private void document(String body) {
            if (body.strip().endsWith("}")) {
                JsonNode json = CouchKit.JSON.readTree(body);
                json.path("results").forEach(rows::add);
                rest = (ObjectNode) json;
            }
        }

        private void lines(String body) {
            String[] all = body.split("\n", -1);
            for (String line : List.of(all).subList(0, all.length - 1)) {
                if (line.isEmpty()) {
                    heartbeats++;
                    continue;
                }
                JsonNode json = CouchKit.JSON.readTree(line);
                if (json.has("last_seq")) {
                    finalLine = true;
                    rest = (ObjectNode) json;
                } else {
                    rows.add(json);
                }
            }
        }

        private void events(String body) {
            for (String line : body.split("\n")) {
                if (line.startsWith("data: {")) {
                    rows.add(CouchKit.JSON.readTree(line.substring(6)));
                } else if (line.startsWith("id: ")) {
                    eventIds.add(line.substring(4));
                } else if (!line.isEmpty() && !line.startsWith("event: ") && !line.equals("data: ")) {
                    badLines.add(line);
                }
            }
        }
    }

    private void check(JsonNode step, Seen seen, String feed) {
        JsonNode expect = step.path("expect");
        Parsed parsed = Parsed.of(seen.body(), feed);
        String all = seen.body();
        assertThat(seen.status()).as(all).isEqualTo(expect.path("status").asInt(200));
        for (String name : List.of("error", "reason", "pending")) {
            if (expect.has(name)) {
                assertThat(parsed.rest.path(name)).as(all).isEqualTo(expect.path(name));
            }
        }
        if (expect.has("rows")) {
            assertThat(parsed.rows).as(all).hasSize(expect.path("rows").size());
            for (int i = 0; i < parsed.rows.size(); i++) {
                checkRow(expect.path("rows").get(i), parsed.rows.get(i));
            }
        }
        for (int i = 0; i < expect.path("rows_first").size(); i++) {
            checkRow(expect.path("rows_first").get(i), parsed.rows.get(i));
        }
        for (String set : List.of("rows_set", "rows_include")) {
            for (JsonNode wanted : expect.path(set)) {
                checkRow(
                        wanted,
                        parsed.rows.stream()
                                .filter(row -> row.path("id").equals(wanted.path("id")))
                                .findFirst()
                                .orElseThrow(() -> new AssertionError("No " + wanted + " in " + all)));
            }
        }
        checkIds(expect, parsed, all);
        checkForm(expect, seen, parsed);
        save(step.path("save"), seen, parsed);
    }

    private static void checkIds(JsonNode expect, Parsed parsed, String all) {
        List<String> ids =
                parsed.rows.stream().map(row -> row.path("id").asString()).toList();
        if (expect.has("rows_set")) {
            assertThat(ids).as(all).hasSize(expect.path("rows_set").size());
        }
        if (expect.has("ids")) {
            assertThat(ids)
                    .as(all)
                    .isEqualTo(expect.path("ids")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList());
        }
        if (expect.has("ids_set")) {
            assertThat(ids)
                    .as(all)
                    .containsExactlyInAnyOrderElementsOf(expect.path("ids_set")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList());
        }
        if (expect.has("count")) {
            assertThat(ids).as(all).hasSize(expect.path("count").asInt());
        }
        List<String> seqs =
                parsed.rows.stream().map(row -> row.path("seq").asString()).toList();
        if (expect.has("seqs_distinct")) {
            assertThat(seqs).doesNotHaveDuplicates();
        }
        if (expect.has("seqs_sorted")) {
            assertThat(seqs).isSorted();
        }
    }

    private void checkForm(JsonNode expect, Seen seen, Parsed parsed) {
        if (expect.has("last_n")) {
            assertThat(parsed.rest.path("last_seq").asString()).matches("[0-9a-f]{14}");
        }
        if (expect.has("final")) {
            assertThat(parsed.finalLine).as(seen.body()).isTrue();
        }
        if (expect.has("ended")) {
            assertThat(seen.ended()).isEqualTo(expect.path("ended").asBoolean());
        }
        if (expect.has("elapsed_min")) {
            assertThat(seen.millis())
                    .isGreaterThanOrEqualTo(expect.path("elapsed_min").asLong());
        }
        if (expect.has("elapsed_max")) {
            assertThat(seen.millis())
                    .isLessThanOrEqualTo(expect.path("elapsed_max").asLong());
        }
        if (expect.has("heartbeats_min")) {
            assertThat(parsed.heartbeats)
                    .isGreaterThanOrEqualTo(expect.path("heartbeats_min").asInt());
        }
        if (expect.has("no_bad_lines")) {
            assertThat(parsed.badLines).isEmpty();
        }
        if (expect.has("body_re")) {
            assertThat(seen.body()).containsPattern(expect.path("body_re").asString());
        }
        if (expect.has("event_id_is_seq")) {
            assertThat(parsed.eventIds)
                    .isEqualTo(parsed.rows.stream()
                            .map(row -> row.path("seq").toString())
                            .toList());
        }
        expect.path("header")
                .properties()
                .forEach(entry -> assertThat(seen.headers().getOrDefault(entry.getKey(), ""))
                        .containsPattern(entry.getValue().asString()));
        if (expect.has("same_results_as")) {
            assertThat(parsed.rows)
                    .isEqualTo(saved.get(expect.path("same_results_as").asString())
                            .valueStream()
                            .toList());
        }
    }

    private void checkRow(JsonNode wanted, JsonNode row) {
        assertThat(row.path("id")).as(row.toString()).isEqualTo(wanted.path("id"));
        if (wanted.has("deleted")) {
            assertThat(row.has("deleted"))
                    .as(row.toString())
                    .isEqualTo(wanted.path("deleted").asBoolean());
        }
        if (wanted.has("revs")) {
            assertThat(row.path("changes")
                            .valueStream()
                            .map(change -> change.path("rev").asString()))
                    .as(row.toString())
                    .containsExactlyElementsOf(wanted.path("revs")
                            .valueStream()
                            .map(rev -> filled(rev.asString()))
                            .toList());
        }
        if (wanted.has("rev_re")) {
            assertThat(row.path("changes").get(0).path("rev").asString())
                    .containsPattern(wanted.path("rev_re").asString());
        }
        if (wanted.has("doc_exact")) {
            assertThat(row.path("doc"))
                    .isEqualTo(CouchKit.JSON.readTree(
                            filled(wanted.path("doc_exact").toString())));
        }
        if (wanted.has("doc")) {
            JsonNode doc = wanted.path("doc");
            if (doc.isString()) {
                assertThat(row.has("doc")).isFalse();
            } else {
                doc.properties().forEach(entry -> checkMember(entry.getKey(), entry.getValue(), row.path("doc")));
            }
        }
    }

    private void checkMember(String name, JsonNode wanted, JsonNode doc) {
        if (wanted.equals(StringNode.valueOf("__absent__"))) {
            assertThat(doc.has(name)).as(doc.toString()).isFalse();
        } else {
            assertThat(doc.path(name)).as(doc.toString()).isEqualTo(CouchKit.JSON.readTree(filled(wanted.toString())));
        }
    }

    private void save(JsonNode save, Seen seen, Parsed parsed) {
        save.properties().forEach(entry -> {
            String path = entry.getValue().asString();
            if (path.startsWith("header.")) {
                saved.put(entry.getKey(), StringNode.valueOf(seen.headers().get(path.substring(7))));
            } else {
                ObjectNode all = parsed.rest.deepCopy();
                var rows = all.putArray("rows");
                parsed.rows.forEach(rows::add);
                saved.put(entry.getKey(), at(all, entry.getValue()));
            }
        });
    }
}
