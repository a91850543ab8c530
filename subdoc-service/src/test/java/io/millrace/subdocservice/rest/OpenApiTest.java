package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Limits;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdocservice.SubdocService;
import io.millrace.subdocservice.moves.BucketMoves.MoveState;
import io.millrace.subdocservice.rest.bulk.BulkLimits;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.live.LiveLimits;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document says what the code does: its routes, error codes and limits are those of the code. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@AutoConfigureWebTestClient(timeout = "60s")
@Import(OpenApiTest.Memory.class)
class OpenApiTest {

    private static final Pattern ROUTE = Pattern.compile("\\((\\w+) && (/[^)]*)\\)");
    private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");
    private static final String DOCUMENT = "/api/v1/buckets/{bucket}/docs/{id}";

    /** Errors of no particular operation; LINE_TOO_LONG is in the summary of a bulk load. */
    private static final Set<ApiError> NOT_OF_ONE_OPERATION = EnumSet.of(
            ApiError.NOT_FOUND,
            ApiError.LINE_TOO_LONG,
            ApiError.SCOPE_EXISTS,
            ApiError.COLLECTION_EXISTS,
            ApiError.CORRUPT,
            ApiError.INTERNAL);

    @TestConfiguration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        @Primary
        DocumentStore memory() {
            return new MemoryDocumentStore(InstantSource.system());
        }
    }

    @Autowired
    WebTestClient client;

    @Autowired
    @Qualifier("routerFunctionMapping")
    RouterFunctionMapping mapping;

    @Autowired
    Routes routes;

    @Autowired
    @Qualifier("queryRouter")
    RouterFunction<ServerResponse> queries;

    @Autowired
    @Qualifier("apiKeys")
    RouterFunction<ServerResponse> keys;

    @Autowired
    @Qualifier("pools")
    RouterFunction<ServerResponse> clusterManager;

    private JsonNode document() {
        return JsonMapper.shared().readTree(body("/v3/api-docs"));
    }

    private byte[] body(String path) {
        var answer = client.get().uri(path).exchange().expectStatus().isOk().expectBody();
        return Objects.requireNonNull(answer.returnResult().getResponseBody());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The cost of a comparison that fails is that of a few operators of Reactor. */
    @Test
    void statement_isComparedWithFewRoutesOfOtherProtocols() {
        AtomicInteger comparisons = new AtomicInteger();
        ServerRequest request = ServerRequest.create(
                MockServerWebExchange.from(MockServerHttpRequest.post("/query/service")), List.of());
        ServerRequest counted = (ServerRequest) Proxy.newProxyInstance(
                ServerRequest.class.getClassLoader(), new Class<?>[] {ServerRequest.class}, (proxy, method, args) -> {
                    if (Set.of("method", "requestPath").contains(method.getName())) {
                        comparisons.incrementAndGet();
                    }
                    return method.invoke(request, args);
                });

        assertThat(Objects.requireNonNull(mapping.getRouterFunction())
                        .route(counted)
                        .blockOptional())
                .isPresent();
        assertThat(comparisons).hasValueLessThan(20);
    }

    @Test
    void document_hasEveryRoute() {
        List<String> served = new ArrayList<>(routes.all().stream()
                .map(route -> route.method() + " " + route.pattern())
                .toList());
        assertThat(served).hasSize(39);
        Matcher other = ROUTE.matcher(queries + " " + keys + " " + clusterManager);
        while (other.find()) {
            if (!other.group(2).startsWith("/pools")) {
                served.add(other.group(1) + " " + other.group(2));
            }
        }
        served.add("GET /couch");

        var described = new TreeSet<String>();
        document()
                .get("paths")
                .forEachEntry((path, item) -> item.propertyNames().stream()
                        .filter(member -> !member.equals("parameters"))
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(described).containsExactlyInAnyOrderElementsOf(served);
        assertThat(served).hasSize(58);
    }

    @Test
    void document_declaresThePathParametersOfEachPath() {
        JsonNode api = document();

        api.get("paths").forEachEntry((path, item) -> {
            List<String> declared = new ArrayList<>();
            item.path("parameters").forEach(parameter -> {
                assertThat(parameter.path("in").asString())
                        .as("parameters that are references are not shown by Swagger UI")
                        .isEqualTo("path");
                declared.add("{" + parameter.get("name").asString() + "}");
            });
            assertThat(declared)
                    .as(path)
                    .isEqualTo(Stream.of(path.split("/"))
                            .filter(part -> part.startsWith("{"))
                            .toList());
        });
    }

    @Test
    void document_describesEachOperation() {
        JsonNode api = document();
        List<String> ids = new ArrayList<>();
        List<String> tags = api.get("tags")
                .valueStream()
                .map(tag -> tag.get("name").asString())
                .toList();

        for (Route route : routes.all()) {
            JsonNode operation = api.get("paths")
                    .get(route.pattern())
                    .get(route.method().name().toLowerCase(Locale.ROOT));
            ids.add(operation.get("operationId").asString());
            assertThat(operation.get("summary").asString()).isNotBlank();
            assertThat(operation.get("description").asString()).isNotBlank();
            assertThat(tags).contains(operation.at("/tags/0").asString());
            assertThat(operation.get("responses").propertyNames()).anyMatch(status -> status.startsWith("2"));
            assertThat(operation.get("responses").propertyNames()).contains("503");
        }

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(api.at("/info/title").asString()).isEqualTo("Millrace document service");
        assertThat(body("/v3/api-docs.yaml")).isEqualTo(body("/v3/api-docs"));
        assertThat(tags).startsWith("Buckets", "Documents", "Sub-documents");
    }

    @Test
    void document_referencesResolve() {
        JsonNode api = document();

        assertThat(api.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference -> assertThat(api.at(reference.substring(1)).isMissingNode())
                                .as(reference)
                                .isFalse());
    }

    @Test
    void document_listsEveryErrorCode() {
        JsonNode codes = document().at("/components/schemas/Problem/properties/code/enum");

        assertThat(codes.valueStream().map(JsonNode::asString))
                .containsExactly(
                        List.of(ApiError.values()).stream().map(ApiError::code).toArray(String[]::new));
    }

    @Test
    void document_saysWhichCodesAStatusHas() {
        JsonNode api = document();
        Map<String, Set<String>> said = new TreeMap<>();
        for (JsonNode item : api.get("paths")) {
            for (JsonNode operation : item) {
                operation.path("responses").forEachEntry((status, response) -> {
                    String reference = response.path("$ref").asString("");
                    JsonNode shared = reference.isEmpty() ? response : api.at(reference.substring(1));
                    if (shared.at("/content/application~1problem+json").isObject()) {
                        Matcher code = CODE.matcher(shared.get("description").asString());
                        code.results()
                                .map(found -> found.group(1))
                                .forEach(found -> said.computeIfAbsent(status, each -> new TreeSet<>())
                                        .add(found));
                    }
                });
            }
        }
        Objects.requireNonNull(said.get("422")).removeAll(Set.of("subdoc_status", "results")); // members of the problem

        Map<String, Set<String>> known = new TreeMap<>();
        for (ApiError error : EnumSet.complementOf(EnumSet.copyOf(NOT_OF_ONE_OPERATION))) {
            known.computeIfAbsent(String.valueOf(error.status().value()), status -> new TreeSet<>())
                    .add(error.code());
        }
        assertThat(said).isEqualTo(known);
    }

    /** Returns a parameter that paths have. */
    static JsonNode pathParameter(JsonNode api, String name) {
        return api.get("paths")
                .valueStream()
                .flatMap(path -> path.path("parameters").valueStream())
                .filter(declared -> declared.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static int longest(JsonNode api, String parameter) {
        return pathParameter(api, parameter).at("/schema/maxLength").asInt();
    }

    @Test
    void document_hasTheLimitsOfTheCode() {
        JsonNode api = document();
        JsonNode parameters = api.at("/components/parameters");
        JsonNode schemas = api.at("/components/schemas");

        assertThat(longest(api, "bucket")).isEqualTo(Limits.MAX_BUCKET_NAME_CHARS);
        assertThat(longest(api, "scope")).isEqualTo(Limits.MAX_COLLECTION_NAME_CHARS);
        assertThat(longest(api, "collection")).isEqualTo(Limits.MAX_COLLECTION_NAME_CHARS);
        assertThat(longest(api, "id")).isEqualTo(Limits.MAX_ID_BYTES);
        assertThat(parameters.at("/idempotencyKey/schema/maxLength").asInt())
                .isEqualTo(RestLimits.MAX_IDEMPOTENCY_KEY_CHARS);
        assertThat(parameters.at("/idempotencyKey/description").asString())
                .contains("next %d writes".formatted(Limits.REMEMBERED_TRANSACTIONS));
        assertThat(schemas.at("/BucketSettings/properties/shards/maximum").asInt())
                .isEqualTo(Limits.MAX_SHARDS);
        assertThat(schemas.at("/SubDocumentRequest/properties/specs/maxItems").asInt())
                .isEqualTo(SubdocLimits.MAX_SPECS);
        assertThat(schemas.at("/SubDocumentSpec/properties/path/description").asString())
                .contains("%d bytes and %d components"
                        .formatted(SubdocLimits.MAX_PATH_BYTES, SubdocLimits.MAX_PATH_COMPONENTS));
        assertThat(api.at("/components/responses/TooManyLoads/description").asString())
                .startsWith(BulkLimits.MAX_BULK_LOADS + " bulk loads");
        assertThat(api.at("/components/responses/TooManyLiveQueries/description")
                        .asString())
                .startsWith("%d live queries of this user, or %d in all"
                        .formatted(LiveLimits.MAX_LIVE_QUERIES_PER_USER, LiveLimits.MAX_LIVE_QUERIES));
        assertThat(description(api, "/api/v1/buckets/{bucket}/live", "get"))
                .contains("%,d documents".formatted(LiveLimits.MAX_MATCHES));
        assertThat(description(api, "/api/v1/buckets/{bucket}", "put"))
                .contains("1 to %d of the characters".formatted(Limits.MAX_BUCKET_NAME_CHARS));
        assertThat(description(api, DOCUMENT + "/xattrs", "put"))
                .containsPattern("1 to\\s+%d bytes".formatted(RestLimits.MAX_XATTR_NAME_BYTES));
        assertThat(description(api, "/api/v1/buckets/{bucket}/bulk", "post"))
                .contains("first %d refused".formatted(BulkLimits.MAX_BULK_REFUSALS_LISTED));
    }

    private static String description(JsonNode api, String path, String method) {
        return api.get("paths").get(path).get(method).get("description").asString();
    }

    @Test
    void document_listsTheWordsOfSubDocumentRequests() {
        JsonNode api = document();
        JsonNode spec = api.at("/components/schemas/SubDocumentSpec/properties");
        List<String> operations = Stream.concat(
                        SpecsReader.operations(false).stream(), SpecsReader.operations(true).stream())
                .toList();

        assertThat(words(spec.at("/op/enum"))).containsExactlyInAnyOrderElementsOf(operations);
        assertThat(words(spec.at("/flags/items/enum")))
                .containsExactlyInAnyOrderElementsOf(SpecsReader.PATH_FLAGS.keySet());
        assertThat(words(api.at("/components/schemas/SubDocumentRequest/properties/doc_flags/items/enum")))
                .containsExactlyInAnyOrderElementsOf(SpecsReader.DOC_FLAGS.keySet());
        SpecsReader.operations(false)
                .forEach(operation -> assertThat(description(api, DOCUMENT + "/lookup-in", "post"))
                        .contains("`" + operation + "`"));
        SpecsReader.operations(true)
                .forEach(operation -> assertThat(description(api, DOCUMENT + "/mutate-in", "post"))
                        .contains("`" + operation + "`"));
        assertThat(words(api.at("/components/schemas/Move/properties/phase/enum")))
                .containsExactlyElementsOf(Stream.of(MoveState.Phase.values())
                        .map(OpenApiTest::word)
                        .toList());
    }

    private static List<String> words(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void probes_andMetrics() {
        client.put()
                .uri("/api/v1/buckets/metrics")
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody();
        client.get()
                .uri("/api/v1/buckets/metrics/docs/x")
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody();

        client.get()
                .uri("/actuator/health/liveness")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
        client.get()
                .uri("/swagger-ui.html")
                .exchange()
                .expectStatus()
                .is3xxRedirection()
                .expectBody();
        assertThat(new String(body("/actuator/prometheus"), UTF_8))
                .containsPattern(
                        "http_server_requests_seconds_count\\{.*status=\"404\",uri=\"/api/v1/buckets/\\{bucket}/docs/\\{id}\"");
    }

    @Test
    void errors_outsideTheApi_areProblems() {
        client.get()
                .uri("/nothing")
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("not_found");
    }
}
