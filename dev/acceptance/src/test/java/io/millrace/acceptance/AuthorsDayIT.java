package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.VBuckets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A day of the author of a function, from the template to the way back. Meanwhile orders are written, and each must be handled
 * once: the code counts what it has handled.
 */
class AuthorsDayIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NAME = "day_function";
    private static final String LETTERS = "/api/v1/functions/" + NAME + "/dead-letters";
    private static final int ORDERS = 1_000;
    private static final int FAILED = 100;
    private static final int CANARY_SHARE = 64;
    private static final Pattern HANDLED = Pattern.compile(": (\\d+) dead letters handled, ");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Api api = new Api(RunningSuite.gateway());
    private final Path directory = RunningSuite.scratch("day").resolve(NAME);
    private final Path code = directory.resolve("handler.js");
    private final List<String> written = new ArrayList<>();

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void day_losesNoChangeAndHandlesNoneTwice() throws Exception {
        beginWithATemplate();
        String first = develop();
        String discount = testsAreRedThenGreen(first);
        dryRunShowsThreeDifferences();
        canaryFailsAndIsRolledBackByItself(discount);
        deadLettersAreReplayedWithTheMendedDraft(discount);
        rollBackInOneCommand();

        JsonNode handled = api.post(
                        "/query/service",
                        "{\"statement\": \"SELECT META(h).id, h.count FROM day_handled AS h ORDER BY META(h).id\"}")
                .succeeded()
                .json()
                .path("results");
        assertThat(handled.valueStream().map(row -> row.path("id").asString() + " " + row.path("count")))
                .containsExactlyElementsOf(
                        written.stream().map(id -> id + " 1").sorted().toList());
        awaitTotal("order-5", 120); // handled by the first version alone
        api.undeploy(NAME);
    }

    private void beginWithATemplate() throws IOException {
        fn(0, "new", directory.toString(), "--template", "enrich");
        Path file = directory.resolve("function.json");
        ObjectNode definition = (ObjectNode) JSON.readTree(Files.readString(file));
        ObjectNode bindings = (ObjectNode) definition.path("depcfg");
        bindings.put("source_bucket", "day_orders");
        ArrayNode buckets = bindings.putArray("buckets");
        Stream.of("products", "totals", "handled")
                .forEach(alias -> buckets.addObject()
                        .put("alias", alias)
                        .put("bucket_name", "day_" + alias)
                        .put("access", alias.equals("products") ? "r" : "rw"));
        Files.writeString(file, definition.toString());
        Files.writeString(
                code,
                Files.readString(code)
                        .replace(
                                "  totals[meta.id] = order;\n",
                                "  totals[meta.id] = order;\n  couchbase.increment(handled, {id: meta.id});\n"));
    }

    /** Returns the code that is deployed in the end. */
    private String develop() throws Exception {
        String right = Files.readString(code);
        try (LauncherProcess dev =
                LauncherProcess.start(RunningSuite.environment(), "fn", "dev", directory.toString())) {
            awaitOutput(dev, NAME + " is deployed, version 1 ");
            api.put(Api.document("day_products", "scoop"), "{\"price\": 12}").succeeded();
            order("first", 3);
            awaitTotal("first", 36);
            api.put(Api.document("day_orders", "unknown"), "{\"product\": \"sieve\", \"quantity\": 1}")
                    .succeeded();
            awaitOutput(dev, "unknown product");

            Files.writeString(code, right.replace("order.quantity * product.price", "order.quantity * "));
            int line = lineOf(right, "order.quantity * product.price");
            awaitOutput(dev, "handler.js:" + line + ":");
            order("while-the-code-is-wrong", 2);
            awaitTotal("while-the-code-is-wrong", 24);

            Files.writeString(code, right);
        }
        return right;
    }

    private static int lineOf(String text, String part) {
        return (int) text.substring(0, text.indexOf(part)).lines().count();
    }

    private String testsAreRedThenGreen(String before) throws IOException {
        Path file = directory.resolve("tests/handler.json");
        ArrayNode cases = (ArrayNode) JSON.readTree(Files.readString(file));
        cases.add(JSON.readTree("""
                {"name": "ten are cheaper",
                 "given": {"documents": {"products": {"scoop": {"price": 12}}}},
                 "when": [{"update": {"id": "1", "document": {"product": "scoop", "quantity": 10}}}],
                 "then": {"documents": {"totals": {"1": {"product": "scoop", "quantity": 10, "total": 108}}}}}"""));
        Files.writeString(file, cases.toString());
        assertThat(fn(1, "test", directory.toString()))
                .contains("FAIL  ten are cheaper", "total: expected 108, but it is 120", "4 tests, 1 failed");

        String discount = before.replace(
                "order.quantity * product.price", "order.quantity * product.price * (order.quantity < 10 ? 1 : 0.9)");
        Files.writeString(code, discount);
        assertThat(fn(0, "test", directory.toString())).contains("4 tests, all passed");
        return discount;
    }

    private void dryRunShowsThreeDifferences() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < ORDERS; i++) {
            written.add("order-" + i);
            lines.append(
                    "{\"id\": \"order-%d\", \"value\": %s}\n".formatted(i, document(i % 333 == 5 ? 10 : 1 + i % 9)));
        }
        api.post("/api/v1/buckets/day_orders/bulk", lines.toString()).succeeded();
        awaitHandled();

        String shown =
                fn(0, "run", NAME, "--dry", "--last", "" + ORDERS, "--draft", directory.toString(), "--compare", "1");

        assertThat(shown)
                .contains("3 of %d changes are handled differently".formatted(ORDERS))
                .contains("OnUpdate of 'order-5'", "OnUpdate of 'order-338'", "OnUpdate of 'order-671'")
                .contains("- total: 120", "+ total: 108");
        assertThat(api.get(Api.document("day_totals", "order-5"))
                        .json()
                        .path("total")
                        .asInt())
                .as("nothing took effect")
                .isEqualTo(120);
    }

    private void canaryFailsAndIsRolledBackByItself(String discount) throws IOException {
        Files.writeString(code, discount.replace("order.total =", "order.city = order.address.city;\n  order.total ="));
        String rule = "" + FAILED;
        assertThat(fn(0, "canary", directory.toString(), "--share", "1/" + CANARY_SHARE, "--min-events", rule))
                .contains("version 2 on trial, version 1 deployed, 16 of 1024 vbuckets, running");
        await().atMost(PATIENCE)
                .until(() ->
                        api.get("/api/v1/stats/" + NAME + "?type=full").body().contains("worker_" + NAME + "_canary"));

        List<String> ids = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tried-" + i)
                .filter(id -> VBuckets.of(id) % CANARY_SHARE == 0)
                .limit(FAILED)
                .toList();
        order("not-of-the-canary", 1);
        ids.forEach(id -> order(id, 10));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fn(0, "canary", NAME))
                        .contains("rolled back", "It failed on %1$d of %1$d changes".formatted(FAILED)));
        awaitTotal("not-of-the-canary", 12);
        assertThat(ids).allMatch(id -> api.get(Api.document("day_totals", id)).status() == 404);
        assertThat(letters().size()).isEqualTo(FAILED);
    }

    private ArrayNode letters() {
        return (ArrayNode) api.get(LETTERS + "?limit=1000").succeeded().json().path("dead_letters");
    }

    private void deadLettersAreReplayedWithTheMendedDraft(String discount) throws IOException {
        Files.writeString(code, discount);
        ArrayNode letters = letters();
        JsonNode letter = letters.path(0);
        String name = letter.path("letter").asString();
        assertThat(letter.path("error").asString()).contains("city");
        assertThat(fn(0, "run", NAME, "--dry", "--letter", name, "--draft", directory.toString()))
                .contains("success", "\"total\":108");
        assertThat(letters().size()).as("nothing took effect").isEqualTo(FAILED);

        replayWithTheDraft();
        awaitHandled();
        letters.forEach(each -> awaitTotal(each.path("id").asString(), 108));
        assertThat(api.get("/api/v1/functions/" + NAME).json().path("appcode").asString())
                .as("the draft has not become the code")
                .doesNotContain("0.9");
        order("while-the-draft-is-not-deployed", 10);
        awaitTotal("while-the-draft-is-not-deployed", 120);

        assertThat(fn(0, "deploy", directory.toString())).contains("change code");
        order("with-the-draft-deployed", 10);
        awaitTotal("with-the-draft-deployed", 108);
    }

    /** A replay takes at most 30 s and leaves the rest, so it may need more than one on a busy machine. */
    private void replayWithTheDraft() {
        List<String> printed = new ArrayList<>();
        await().atMost(PATIENCE).pollInSameThread().until(() -> {
            printed.add(FnCommand.run("replay", NAME, "--draft", directory.toString())
                    .printed());
            return printed.getLast().contains(" 0 left");
        });
        assertThat(printed).allMatch(text -> text.contains(" 0 failed, "));
        assertThat(printed.stream().mapToInt(AuthorsDayIT::handledBy).sum()).isEqualTo(FAILED);
        assertThat(letters().size()).isZero();
    }

    private static int handledBy(String printed) {
        Matcher handled = HANDLED.matcher(printed);
        assertThat(handled.find()).as(printed).isTrue();
        return Integer.parseInt(handled.group(1));
    }

    private void rollBackInOneCommand() {
        assertThat(fn(0, "rollback", NAME)).contains("which is version");
        order("last", 10);
        awaitTotal("last", 120);
        awaitHandled();
    }

    /** Writes an order that the function has to handle. */
    private void order(String id, int quantity) {
        written.add(id);
        api.put(Api.document("day_orders", id), document(quantity)).succeeded();
    }

    private static String document(int quantity) {
        return "{\"product\": \"scoop\", \"quantity\": %d}".formatted(quantity);
    }

    private void awaitTotal(String id, int total) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(api.get(Api.document("day_totals", id)).body())
                                .contains("\"total\":" + total));
    }

    /** Waits until every order that was written has been handled. */
    private void awaitHandled() {
        api.post("/query/service", "{\"statement\": \"CREATE PRIMARY INDEX IF NOT EXISTS ON day_handled\"}");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                api.post("/query/service", "{\"statement\": \"SELECT RAW COUNT(*) FROM day_handled\"}")
                                        .json()
                                        .at("/results/0")
                                        .asInt())
                        .isEqualTo(written.size()));
    }

    private static void awaitOutput(LauncherProcess process, String text) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).contains(text));
    }

    /** Runs a command, which must end with a status, and returns what it printed. */
    private static String fn(int status, String... arguments) {
        FnCommand ended = FnCommand.run(arguments);
        assertThat(ended.status())
                .as(Stream.of(arguments).collect(Collectors.joining(" ")) + "\n" + ended.printed())
                .isEqualTo(status);
        return ended.printed();
    }
}
