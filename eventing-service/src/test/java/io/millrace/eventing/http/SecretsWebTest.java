package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvEntry;
import io.millrace.workerprotocol.HandlerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets over HTTP, and what becomes of passwords in definitions. */
class SecretsWebTest extends WebTest {

    private Answer put(String name, String url, String value) {
        return ask(HttpMethod.PUT, "/api/v1/secrets/" + name, json(Map.of("url", url, "value", value)));
    }

    private static ObjectNode withUrl(String name, Map<String, Object> binding) {
        ObjectNode json = definition(name);
        ObjectNode url = ((ObjectNode) json.get("depcfg")).putArray("curl").addObject();
        url.put("hostname", "https://example.org/api").put("value", "web");
        binding.forEach((field, value) -> url.put(field, value.toString()));
        return json;
    }

    private static ObjectNode basic(String name, String password) {
        return withUrl(name, Map.of("auth_type", "basic", "username", "u", "password", password));
    }

    private Set<String> storedSecrets() {
        return metakv.list("/secrets/").blockOptional().orElseThrow().stream()
                .map(MetakvEntry::path)
                .collect(java.util.stream.Collectors.toSet());
    }

    private String password(String function) {
        return runtime.spec(function)
                .map(spec -> spec.handler().urls().getFirst().password())
                .orElse("");
    }

    @Test
    void secret_isListedWithoutItsValueAndWithItsUsers() {
        put("payments", "https://example.org", "s3cret").noContent();
        post(
                        "/api/v1/functions/f",
                        withUrl("f", Map.of("auth_type", "bearer", "bearer_key_secret", "payments"))
                                .toString())
                .ok();

        JsonNode list = get("/api/v1/secrets").json();

        assertThat(list).hasSize(1);
        assertThat(list.at("/0/name").asString()).isEqualTo("payments");
        assertThat(list.at("/0/url").asString()).isEqualTo("https://example.org:443");
        assertThat(list.at("/0/used_by").toString()).isEqualTo("[\"f\"]");
        assertThat(list.toString()).doesNotContain("s3cret");
        assertThat(get("/api/v1/functions/f").ok().text()).contains("\"bearer_key_secret\":\"payments\"");
        delete("/api/v1/secrets/payments").problem(409, "secret_in_use");
        delete("/api/v1/functions/f").ok();
        delete("/api/v1/secrets/payments").noContent();
        delete("/api/v1/secrets/payments").problem(404, "secret_not_found");
    }

    @Test
    void deployedFunction_getsTheValueAndItsChanges() {
        put("payments", "https://example.org", "first").noContent();
        post(
                        "/api/v1/functions/f",
                        withUrl("f", Map.of("auth_type", "basic", "username", "u", "password_secret", "payments"))
                                .toString())
                .ok();
        deploy("f");
        assertThat(password("f")).isEqualTo("first");

        put("payments", "https://example.org", "second").noContent();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(password("f")).isEqualTo("second"));
    }

    private static ObjectNode reading(String name, String secret) {
        ObjectNode json =
                definition(name).put("appcode", "function OnUpdate(doc, meta) { dst[meta.id] = API_KEY.length; }");
        json.putObject("settings").putObject("secrets").put("API_KEY", secret);
        return json;
    }

    private Answer keep(String name, String function, String value) {
        return ask(HttpMethod.PUT, "/api/v1/secrets/" + name, json(Map.of("function", function, "value", value)));
    }

    private List<HandlerSettings.Constant> constants(String function) {
        return runtime.spec(function).map(spec -> spec.handler().constants()).orElse(List.of());
    }

    @Test
    void secretThatCodeReads_isThatOfTheFunction_andChangesWithoutAPause() {
        keep("mine", "f", "fir\"st").noContent();
        post("/api/v1/functions/f", reading("f", "mine").toString()).ok();
        assertThat(constants("f")).isEmpty();
        deploy("f");
        assertThat(constants("f")).containsExactly(new HandlerSettings.Constant("API_KEY", "\"fir\\\"st\""));
        runtime.onSwap(spec -> CompletableFuture.completedFuture(null));

        keep("mine", "f", "second").noContent();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(constants("f"))
                        .containsExactly(new HandlerSettings.Constant("API_KEY", "\"second\"")));
        assertThat(runtime.calls("f")).containsExactly("start", "swap");
        JsonNode listed = get("/api/v1/secrets").json();
        assertThat(listed.at("/0/function").asString()).isEqualTo("f");
        assertThat(listed.at("/0/used_by").toString()).isEqualTo("[\"f\"]");
        assertThat(listed.at("/0").has("url")).isFalse();
        assertThat(get("/api/v1/functions/f").ok().text())
                .contains("\"secrets\":{\"API_KEY\":\"mine\"}")
                .doesNotContain("second");
        delete("/api/v1/secrets/mine").problem(409, "secret_in_use");
    }

    @Test
    void secretOfAServerOrOfAnotherFunction_isReadByNoCode() {
        put("server", "https://example.org", "s3cret").noContent();
        keep("other", "g", "s3cret").noContent();
        for (String secret : List.of("server", "other", "missing")) {
            post("/api/v1/functions/f", reading("f", secret).toString()).ok();
            post("/api/v1/functions/f/deploy", null).error(400, "ERR_INVALID_CONFIG", 38);
        }
        post("/api/v1/functions/f", reading("f", "_generated").toString()).error(400, "ERR_INVALID_CONFIG", 38);
        keep("mine", "f", "s3cret").noContent();
        post(
                        "/api/v1/functions/f",
                        withUrl("f", Map.of("auth_type", "bearer", "bearer_key_secret", "mine"))
                                .toString())
                .ok();
        post("/api/v1/functions/f/deploy", null).error(400, "ERR_INVALID_CONFIG", 38);
        ask(HttpMethod.PUT, "/api/v1/secrets/mine", json(Map.of("function", "a/b", "value", "x")))
                .problem(400, "invalid_secret");
    }

    @Test
    void dryRun_findsTheValueThatIsGivenAndNeverTheSecret() {
        keep("mine", "f", "s3cret").noContent();
        post("/api/v1/functions/f", reading("f", "mine").toString()).ok();
        List<HandlerSettings.Constant> found = new CopyOnWriteArrayList<>();
        runtime.onDryRun((spec, changes) -> {
            found.addAll(spec.handler().constants());
            return List.of();
        });
        String change = "{\"change\": {\"id\": \"1\", \"document\": 1}%s}";
        String path = "/api/v1/functions/f/dry-run";

        post(path, change.formatted("")).ok();
        post(path, change.formatted(", \"secrets\": {\"API_KEY\": \"by hand\"}"))
                .ok();
        post(path, change.formatted(", \"secrets\": {\"OTHER\": \"by hand\"}")).problem(400, "invalid_request");
        runtime.onDryRun((spec, changes) -> List.of());

        assertThat(found)
                .containsExactly(
                        new HandlerSettings.Constant("API_KEY", "\"<API_KEY>\""),
                        new HandlerSettings.Constant("API_KEY", "\"by hand\""));
    }

    private static String database(String url, String field, String value) {
        ObjectNode json = definition("f");
        ((ObjectNode) json.get("depcfg"))
                .putArray("sql")
                .addObject()
                .put("value", "crm")
                .put("url", url)
                .put("username", "app")
                .put(field, value);
        return json.toString();
    }

    private String databasePassword() {
        return runtime.spec("f")
                .map(spec -> spec.handler().databases().getFirst().password())
                .orElse("");
    }

    @Test
    void passwordOfADatabase_isASecretOfItsUrl() {
        String url = "jdbc:postgresql://db.example.org:5432/crm";
        post("/api/v1/functions/f", database(url, "password", "s3cret")).ok();
        String shown = get("/api/v1/functions/f").ok().text();

        assertThat(shown).contains("\"password\":\"*****\"").doesNotContain("s3cret");
        assertThat(storedSecrets()).hasSize(1);
        post("/api/v1/functions/f", shown).ok();
        deploy("f");
        assertThat(databasePassword()).isEqualTo("s3cret");
    }

    @Test
    void sharedSecretOfADatabase_isSentToNoOther() {
        put("crm", "jdbc:postgresql://db.example.org:5432/crm", "s3cret").noContent();
        post("/api/v1/functions/f", database("jdbc:postgresql://db.example.org:5432/other", "password_secret", "crm"))
                .ok();
        post("/api/v1/functions/f/deploy", null).error(400, "ERR_INVALID_CONFIG", 38);

        post("/api/v1/functions/f", database("jdbc:postgresql://db.example.org:5432/crm", "password_secret", "crm"))
                .ok();
        deploy("f");
        assertThat(databasePassword()).isEqualTo("s3cret");
    }

    @Test
    void secretOfAnotherServer_endsTheDeployment() {
        put("payments", "https://other.example.org", "s3cret").noContent();
        post(
                        "/api/v1/functions/f",
                        withUrl("f", Map.of("auth_type", "bearer", "bearer_key_secret", "payments"))
                                .toString())
                .ok();

        post("/api/v1/functions/f/deploy", null).error(400, "ERR_INVALID_CONFIG", 38);
        assertThat(status("f")).isEqualTo("undeployed");
    }

    @Test
    void unknownAndForeignSecrets_areRefused() {
        ObjectNode unknown = withUrl("f", Map.of("auth_type", "bearer", "bearer_key_secret", "missing"));
        post("/api/v1/functions/f", unknown.toString()).ok();
        post("/api/v1/functions/f/deploy", null).error(400, "ERR_INVALID_CONFIG", 38);

        post("/api/v1/functions/g", basic("g", "s3cret").toString()).ok();
        String generated = storedSecrets().iterator().next().substring("/secrets/".length());
        ObjectNode foreign = withUrl("f", Map.of("auth_type", "bearer", "bearer_key_secret", generated));
        assertThat(post("/api/v1/functions/f", foreign.toString())
                        .error(400, "ERR_INVALID_CONFIG", 38)
                        .asString())
                .contains("is not the name of a secret that functions can use");
        ObjectNode both = withUrl("f", Map.of("auth_type", "bearer", "bearer_key", "x", "bearer_key_secret", "y"));
        post("/api/v1/functions/f", both.toString()).error(400, "ERR_INVALID_CONFIG", 38);
    }

    @Test
    void password_isReplacedKeptAndDeletedWithItsFunction() {
        post("/api/v1/functions/f", basic("f", "first").toString()).ok();
        Set<String> before = storedSecrets();
        assertThat(before).hasSize(1);

        post("/api/v1/functions/f", basic("f", "first").toString()).ok();
        post("/api/v1/functions/f", get("/api/v1/functions/f").text()).ok();
        assertThat(storedSecrets()).isEqualTo(before);
        deploy("f");
        assertThat(password("f")).isEqualTo("first");

        post("/api/v1/functions/f", basic("f", "second").toString()).error(400, "ERR_INVALID_REQUEST", 63);
        assertThat(storedSecrets()).isEqualTo(before);
        post("/api/v1/functions/f/undeploy", null).ok();
        awaitStatus("f", "undeployed");
        post("/api/v1/functions/f", basic("f", "second").toString()).ok();
        assertThat(storedSecrets()).hasSize(1).doesNotContainAnyElementsOf(before);

        delete("/api/v1/functions/f").ok();
        assertThat(storedSecrets()).isEmpty();
    }

    @Test
    void noAnswerAndNoEntry_containsASecret() {
        post("/api/v1/functions/f", basic("f", "planted-1").toString()).ok();
        put("payments", "https://example.org", "planted-2").noContent();
        deploy("f");

        StringBuilder all = new StringBuilder();
        for (String directory : List.of("/", "/secrets/")) {
            metakv.list(directory).blockOptional().orElseThrow().forEach(entry -> all.append(entry.text()));
        }
        for (String path : List.of(
                "/api/v1/functions",
                "/api/v1/functions/f",
                "/api/v1/functions/f/config",
                "/api/v1/export",
                "/api/v1/secrets",
                "/api/v1/status",
                "/api/v1/stats?type=full",
                "/api/v1/config")) {
            all.append(get(path).text());
        }
        assertThat(password("f")).isEqualTo("planted-1");
        assertThat(all.toString()).doesNotContain("planted");
    }

    @Test
    void passwordOfAnOldDefinition_becomesASecretAtStart() {
        post("/api/v1/functions/f", basic("f", "s3cret").toString()).ok();
        String stored = metakv.get("/eventing/functions/f")
                .blockOptional()
                .orElseThrow()
                .text();
        String old = stored.replaceFirst("\"password\":\"\"", "\"password\":\"s3cret\"")
                .replaceFirst(",\"password_secret\":\"[^\"]*\"", "");
        assertThat(old).contains("s3cret");
        metakv.set("/eventing/functions/f", old.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .block();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(metakv.get("/eventing/functions/f")
                                .blockOptional()
                                .orElseThrow()
                                .text())
                        .contains("\"password_secret\":\"_")
                        .doesNotContain("s3cret"));
        deploy("f");
        assertThat(password("f")).isEqualTo("s3cret");
    }

    @Test
    void badRequests_areProblems() {
        put("_own", "https://example.org", "x").problem(400, "invalid_secret");
        put("a", "nowhere", "x").problem(400, "invalid_secret");
        ask(HttpMethod.PUT, "/api/v1/secrets/a", "{\"url\": \"https://example.org\"}")
                .problem(400, "invalid_secret");
        ask(HttpMethod.PUT, "/api/v1/secrets/a", "{").problem(400, "invalid_json");
        assertThat(post("/api/v1/secrets/rewrap", null).json().get("rewrapped").asInt())
                .isZero();
    }
}
