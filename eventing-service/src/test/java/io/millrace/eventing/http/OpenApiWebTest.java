package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.definition.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;
import org.yaml.snakeyaml.Yaml;
import reactor.core.scheduler.NonBlocking;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document, compared with the endpoints and with real responses. */
class OpenApiWebTest extends WebTest {

    @Autowired
    private OpenApiThreads threads;

    private JsonNode document = JSON.createObjectNode();

    @BeforeEach
    void read() throws IOException {
        String text = ask(HttpMethod.GET, "/v3/api-docs", null).text();
        document = JSON.readTree(text);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("openapi.json"), text);
    }

    @Test
    void document_describesEveryOperationOfTheFileAndNoOther() throws IOException {
        TreeSet<String> described = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .propertyNames()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        try (InputStream file = new ClassPathResource("openapi/functions.yml").getInputStream()) {
            Map<String, Map<String, Object>> yaml = new Yaml().load(file);
            assertThat(described)
                    .containsExactlyInAnyOrderElementsOf(
                            Objects.requireNonNull(yaml.get("operations")).keySet());
        }
    }

    /** It takes seconds, in which requests that have nothing to do with it would not be answered. */
    @Test
    void document_isNotMadeOnAnEventLoop() {
        assertThat(threads.seen()).isNotEmpty().noneMatch(NonBlocking.class::isInstance);
    }

    @Test
    void everyReference_leadsToASchema() {
        document.findValuesAsString("$ref")
                .forEach(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void tags_areOrderedByAUsersDay() {
        List<String> tags = new ArrayList<>();
        document.path("tags").forEach(tag -> tags.add(tag.path("name").asString()));

        assertThat(tags)
                .startsWith("functions", "versions", "lifecycle", "status", "logs", "dead letters")
                .endsWith("service");
    }

    @Test
    void settings_areThoseOfTheTable() {
        JsonNode settings = schema("FunctionSettings").path("properties");

        for (Setting setting : Setting.values()) {
            assertThat(settings.path(setting.jsonName()).path("description").asString(""))
                    .isEqualTo(setting.description());
        }
    }

    @Test
    void responses_haveNoMemberThatTheDocumentDoesNotDeclare() {
        create("f");
        deploy("f");

        for (String path : Arrays.asList(
                "/api/v1/functions",
                "/api/v1/functions/{name}",
                "/api/v1/functions/{name}/settings",
                "/api/v1/functions/{name}/config",
                "/api/v1/functions/{name}/versions",
                "/api/v1/functions/{name}/versions/1",
                "/api/v1/status",
                "/api/v1/status/{name}",
                "/api/v1/list/functions",
                "/api/v1/dependencies",
                "/api/v1/templates",
                "/api/v1/functions/{name}/dead-letters",
                "/api/v1/functions/{name}/timers",
                "/api/v1/functions/{name}/timers/density",
                "/api/v1/functions/{name}/timers/status",
                "/api/v1/functions/{name}/timers/scan",
                "/api/v1/stats",
                "/api/v1/stats/{name}",
                "/getOwnershipMap",
                "/getRebalanceProgress",
                "/getAggRebalanceProgress",
                "/getErrorCodes",
                "/logFileLocation",
                "/api/v1/config")) {
            JsonNode response = get(path.replace("{name}", "f")).ok().json();
            JsonNode schema = document.path("paths")
                    .path(path)
                    .at("/get/responses/200/content")
                    .path("application/json")
                    .path("schema");
            compare(path, response, schema);
        }
        JsonNode problem = get("/api/v1/functions/none/timers").json();
        compare("problem", problem, schema("Problem"));
        JsonNode error = get("/api/v1/functions/none").json();
        compare("error", error, schema("FunctionsError"));
    }

    private void compare(String where, JsonNode value, JsonNode declared) {
        JsonNode schema = declared;
        if (declared.has("$ref")) {
            schema = document.at(declared.path("$ref").asString().substring(1));
        }
        if (value.isArray()) {
            for (JsonNode item : value) {
                compare(where + "[]", item, schema.path("items"));
            }
            return;
        }
        if (!value.isObject() || schema.isEmpty()) {
            return;
        }
        Map<String, JsonNode> required = new HashMap<>();
        schema.path("required").forEach(name -> required.put(name.asString(), name));
        for (String name : required.keySet()) {
            assertThat(value.has(name))
                    .as("%s has the required member %s", where, name)
                    .isTrue();
        }
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            JsonNode known = schema.path("properties").path(member.getKey());
            JsonNode other = schema.path("additionalProperties");
            assertThat(known.isObject() || other.isObject() || other.asBoolean(false))
                    .as("%s declares the member %s", where, member.getKey())
                    .isTrue();
            compare(where + "." + member.getKey(), member.getValue(), known.isObject() ? known : other);
        }
    }

    private JsonNode schema(String name) {
        return document.at("/components/schemas/" + name);
    }
}
