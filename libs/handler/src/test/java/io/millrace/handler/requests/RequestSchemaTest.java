package io.millrace.handler.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RequestSchemaTest {

    private static final RequestSchema PARCELS = RequestSchema.of(json("""
            {
              "paths": {
                "/parcels": {
                  "get": {"parameters": [
                    {"in": "query", "name": "limit", "schema": {"type": "integer", "maximum": 100}},
                    {"in": "query", "name": "tag", "schema": {"type": "array", "items": {"type": "string", "minLength": 2}}},
                    {"in": "query", "name": "code", "schema": {"type": "string"}},
                    {"in": "header", "name": "X-Tenant", "required": true, "schema": {"type": "string"}}
                  ]}
                },
                "/parcels/newest": {"get": {}},
                "/pictures": {
                  "post": {"requestBody": {"content": {"image/*": {}, "Application/JSON; charset=utf-8": {"schema": {"type": "object"}}}}},
                  "put": {"requestBody": {"content": {"*/*": {}}}}
                },
                "/parcels/{id}": {
                  "parameters": [{"$ref": "#/components/parameters/id"}],
                  "get": {},
                  "put": {"requestBody": {"required": true, "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Parcel"}}, "text/csv": {}}}}
                }
              },
              "components": {
                "parameters": {"id": {"in": "path", "name": "id", "schema": {"type": "integer"}}},
                "schemas": {"Parcel": {"type": "object", "required": ["to"], "additionalProperties": false,
                  "properties": {"to": {"type": "string"}, "next": {"$ref": "#/components/schemas/Parcel"}}}}
              }
            }
            """));

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static Verdict check(String method, String target, String tenant, String type, String body) {
        String[] parts = target.split("\\?", 2);
        Map<String, List<String>> query = parts.length == 1
                ? Map.of()
                : Arrays.stream(parts[1].split("&"))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.groupingBy(
                                pair -> pair[0],
                                LinkedHashMap::new,
                                Collectors.mapping(pair -> pair[1], Collectors.toList())));
        return PARCELS.check(new RequestSchema.Request(
                method,
                List.of(parts[0].substring(1).split("/", -1)),
                query,
                name -> name.equals("X-Tenant") && !tenant.isEmpty() ? tenant : null,
                type,
                body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | /parcels?limit=100&tag=ab&tag=cd&code=12 | t | `` | ``",
                "GET | /parcels/newest | `` | `` | ``",
                "GET | /parcels/7 | `` | `` | ``",
                "PUT | /parcels/7 | `` | application/json; charset=utf-8 | `{\"to\": \"Ada\", \"next\": {\"to\": \"Bo\"}}`",
                "PUT | /parcels/7 | `` | text/csv | `1,2`",
                "POST | /pictures | `` | image/png | `x`",
                "POST | /pictures | `` | application/json | `{}`",
                "PUT | /pictures | `` | text/csv | `1,2`",
            })
    void requestThatFits(String method, String target, String tenant, String type, String body) {
        assertThat(check(method, target, tenant, type, body)).isEqualTo(new Verdict.Fits());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | /parcels | `` | `` | `` | the header parameter X-Tenant is missing",
                "GET | /parcels?limit=101 | t | `` | `` | the query parameter limit",
                "GET | /parcels?limit=many | t | `` | `` | the query parameter limit",
                "GET | /parcels?limit=1&limit=2 | t | `` | `` | the query parameter limit has several values",
                "GET | /parcels?tag=ab&tag=c | t | `` | `` | the query parameter tag at /1",
                "GET | /parcels/seven | `` | `` | `` | the path parameter id",
                "PUT | /parcels/7 | `` | application/json | `` | the body is missing",
                "PUT | /parcels/7 | `` | application/json | `{}` | the body",
                "PUT | /parcels/7 | `` | application/json | `{\"to\": \"a\", \"next\": {\"to\": 5}}` | the body at /next/to",
                "POST | /pictures | `` | imagery/png | `x` | the Content-Type of the body is imagery/png; expected [image/*, application/json]",
                "POST | /pictures | `` | application/json | `1` | the body",
                "PUT | /parcels/7 | `` | text/plain | `x` | the Content-Type of the body is text/plain; expected [application/json, text/csv]",
            })
    void requestThatDoesNotFit_isToldWhatIsWrong(
            String method, String target, String tenant, String type, String body, String expected) {
        assertThat(check(method, target, tenant, type, body))
                .isInstanceOfSatisfying(
                        Verdict.Wrong.class,
                        wrong -> assertThat(wrong.mistakes())
                                .hasSize(1)
                                .first()
                                .asString()
                                .startsWith(expected));
    }

    @Test
    void otherPathsAndMethods_areNotTaken() {
        assertThat(check("GET", "/letters", "", "", "")).isEqualTo(new Verdict.NoPath());
        assertThat(check("GET", "/parcels/7/x", "", "", "")).isEqualTo(new Verdict.NoPath());
        assertThat(check("POST", "/parcels/7", "", "", "")).isEqualTo(new Verdict.NoMethod(List.of("GET", "PUT")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`{\"components\": {}}` | it must have the member paths",
                "`{\"paths\": {}, \"info\": {}}` | the member info is not known",
                "`{\"paths\": {\"a\": {\"get\": {}}}}` | the path a must begin with a slash",
                "`{\"paths\": {\"/a\": {\"fetch\": {}}}}` | the path /a has no method",
                "`{\"paths\": {\"/a\": {\"get\": {\"parameters\": [{\"in\": \"cookie\", \"name\": \"b\"}]}}}}` | a parameter of GET /a",
                "`{\"paths\": {\"/a\": {\"put\": {\"requestBody\": {}}}}}` | the requestBody of PUT /a has no content",
                "`{\"paths\": {\"/a\": {\"get\": {}}}, \"components\": {\"x\": {\"$ref\": \"http://127.0.0.1/x\"}}}` | $ref must begin with #/components/",
                "`{\"paths\": {\"/a\": {\"get\": {}}}, \"components\": {\"x\": {\"$ref\": \"#/components/y\"}}}` | there is no #/components/y",
                "`{\"paths\": {\"/a\": {\"put\": {\"requestBody\": {\"$ref\": \"#/components/b\"}}}}}` | there is no #/components/b",
                "`{\"paths\": {\"/a\": {\"get\": {}}}, \"components\": {\"x\": {\"pattern\": \"(a+)+b\"}}}` | pattern is not supported",
            })
    void settingThatCannotBeUsed_isRefusedInWords(String setting, String expected) {
        assertThatThrownBy(() -> RequestSchema.of(json(setting)))
                .isInstanceOf(UnusableSchema.class)
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/7.json, 7",
        "/a/7.5.json, '7.5'",
        "/a/x, x",
        "/a/.json, .json",
        "/a/newest.json, ",
        "/b/v1-2.zip, '1,2'",
        "/b/v1-2-3.zip, '1,2-3'",
        "/b/v-2.zip, none",
        "/b/v12.zip, none",
        "/b/v1-.zip, none",
        "/b/w1-2.zip, none"
    })
    void namesInTemplates_standForPartsOfSegments(String path, @Nullable String values) {
        List<PathTemplate> templates = Stream.of("/a/{id}", "/a/{id}.json", "/a/newest.json", "/b/v{major}-{minor}.zip")
                .map(PathTemplate::of)
                .sorted(PathTemplate.MOST_CONCRETE)
                .toList();

        String found = templates.stream()
                .flatMap(one -> one.values(List.of(path.substring(1).split("/"))).stream())
                .findFirst()
                .map(names -> String.join(",", new TreeMap<>(names).values()))
                .orElse("none");

        assertThat(found).isEqualTo(values == null ? "" : values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "path; ; 1,2,3; true",
                "path; ; 1,2,x; false",
                "header; ; 1, 2,3; true",
                "header; ; 1, x; false",
                "query; ; 1&2; true",
                "query; ; 1,2; false",
                "query; \"explode\": false,; 1,2; true",
                "query; \"explode\": false,; 1,x; false",
                "query; \"style\": \"pipeDelimited\",; 1|2; true",
                "query; \"style\": \"spaceDelimited\",; 1 2; true"
            })
    void arrays_areSeparatedByTheirStyle(String in, @Nullable String style, String value, boolean fits) {
        RequestSchema schema = RequestSchema.of(json("""
                {"paths": {"/{p}": {"get": {"parameters": [{"in": "%s", "name": "p", %s
                 "schema": {"type": ["array", "null"], "items": {"type": "integer"}}}]}}}}""".formatted(in, style == null ? "" : style)));

        Verdict verdict = schema.check(new RequestSchema.Request(
                "GET", List.of(value), Map.of("p", List.of(value.split("&"))), name -> value, null, new byte[0]));

        assertThat(verdict instanceof Verdict.Fits).isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource({"query, other, '', true", "query, p, 'R,1', true", "header, p, 'R,1', true", "header, other, '', false"
    })
    void objects_areNotCompared(String in, String name, String value, boolean fits) {
        RequestSchema schema = RequestSchema.of(json("""
                {"paths": {"/": {"get": {"parameters": [{"in": "%s", "name": "p", "required": true,
                 "schema": {"type": "object", "required": ["R"]}}]}}}}""".formatted(in)));

        Verdict verdict = schema.check(new RequestSchema.Request(
                "GET",
                List.of(""),
                Map.of(name, List.of(value)),
                asked -> asked.equals(name) ? value : null,
                null,
                new byte[0]));

        assertThat(verdict instanceof Verdict.Fits).isEqualTo(fits);
    }

    /** Returns the setting for one path whose body has a schema. */
    private static JsonNode ofBody(String schema, String components) {
        return json("""
                {"paths": {"/": {"put": {"requestBody": {"content": {"application/json": {"schema": %s}}}}}},
                 "components": {"schemas": {%s}}}""".formatted(schema, components));
    }

    private static Verdict check(RequestSchema schema, String body) {
        return schema.check(new RequestSchema.Request(
                "PUT", List.of(""), Map.of(), name -> null, "application/json", body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String reference(Object name) {
        return "{\"$ref\": \"#/components/schemas/%s\"}".formatted(name);
    }

    @Test
    void schemaThatTheValidatorDoesNotTake_isRefusedAlsoBehindReferences() {
        JsonNode setting = ofBody("{\"properties\": {\"a\": " + reference("A") + "}}", "\"A\": {\"allOf\": 5}");

        assertThatThrownBy(() -> RequestSchema.of(setting)).isInstanceOf(UnusableSchema.class);
    }

    @Test
    void schemasThatReferToThemselvesWithoutEnd_areRefused() {
        JsonNode itself = ofBody(reference("A"), "\"A\": {\"allOf\": [" + reference("A") + "]}");
        String doubling = IntStream.range(0, 40)
                .mapToObj(level -> "\"%d\": {\"allOf\": [%2$s, %2$s]}".formatted(level, reference(level + 1)))
                .collect(Collectors.joining(", "));
        JsonNode often = ofBody(reference(0), doubling + ", \"40\": {}");

        for (JsonNode setting : List.of(itself, often)) {
            assertThatThrownBy(() -> RequestSchema.of(setting))
                    .isInstanceOf(UnusableSchema.class)
                    .hasMessageContaining("refers to itself for the same value, or too often to others");
        }
    }

    @Test
    void bodyThatTakesTooLongToCompare_isRefused() {
        String twice = "{\"properties\": {\"a\": %s}}".formatted(reference("A"));
        RequestSchema schema =
                RequestSchema.of(ofBody(reference("A"), "\"A\": {\"allOf\": [%1$s, %1$s]}".formatted(twice)));

        assertThat(check(schema, "{\"a\": ".repeat(3) + "1" + "}".repeat(3))).isEqualTo(new Verdict.Fits());
        assertThat(check(schema, "{\"a\": ".repeat(60) + "1" + "}".repeat(60)))
                .isInstanceOfSatisfying(
                        Verdict.Wrong.class,
                        wrong -> assertThat(wrong.mistakes())
                                .singleElement()
                                .asString()
                                .startsWith("the body takes more than"));
    }

    @Test
    void bodyAsDeepAsJsonMayBe_isCompared() {
        RequestSchema schema = RequestSchema.of(ofBody(
                reference("A"),
                "\"A\": {\"type\": \"object\", \"properties\": {\"a\": %s}}".formatted(reference("A"))));

        assertThat(check(schema, "{\"a\": ".repeat(480) + "{}" + "}".repeat(480)))
                .isEqualTo(new Verdict.Fits());
    }

    @Test
    void ofManyMistakes_theFirstAreTold() {
        RequestSchema schema =
                RequestSchema.of(ofBody("{\"items\": {\"enum\": [\"%s\"]}}".formatted("x".repeat(1000)), ""));

        assertThat(check(schema, "[" + "1, ".repeat(100_000) + "1]"))
                .isInstanceOfSatisfying(
                        Verdict.Wrong.class,
                        wrong -> assertThat(wrong.mistakes())
                                .hasSize(RequestSchema.MAX_MISTAKES)
                                .allSatisfy(mistake ->
                                        assertThat(mistake).hasSizeLessThan(RequestSchema.MAX_MISTAKE_CHARS + 10)));
    }
}
