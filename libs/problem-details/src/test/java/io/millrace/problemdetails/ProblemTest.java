package io.millrace.problemdetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemTest {

    /** The kinds of failure of an API. */
    private enum Code {
        ENTRY_CHANGED
    }

    /** An API with one failure of its own. */
    private static final class Handler extends ProblemHandler {
        @Override
        protected @Nullable Problem problem(Throwable failure) {
            return failure instanceof IllegalStateException
                    ? Problem.of(HttpStatus.CONFLICT, Code.ENTRY_CHANGED, "The entry has rev 3, not 2.")
                    : null;
        }
    }

    private final MockServerWebExchange exchange =
            MockServerWebExchange.from(MockServerHttpRequest.get("/api/v1/things"));

    @Test
    void aProblem_hasTheMembersOfTheRfcAndOurs() {
        Problem problem = Problem.of(HttpStatus.CONFLICT, Code.ENTRY_CHANGED, "The entry has rev 3, not 2.")
                .withAction("Read the entry again.")
                .with("rev", "3")
                .with("line", null);

        assertThat(JsonMapper.shared().writeValueAsString(problem)).isEqualTo("""
            {"title":"Conflict","status":409,"code":"entry_changed",\
            "detail":"The entry has rev 3, not 2.","action":"Read the entry again.","rev":"3"}\
            """);
    }

    @Test
    void aProblemThatMayPass_saysWhenToRepeat() {
        Problem problem = Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "Redis does not answer.");

        JsonNode body = written(problem.retryAfter(Duration.ofMillis(1_001)));

        assertThat(body.path("retryAfterSeconds").asInt()).isEqualTo(2);
        assertThat(exchange.getResponse().getHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo("2");
        assertThat(problem.retryAfterSeconds()).isEqualTo(1);
    }

    @Test
    void aFailureOfTheService_isItsProblem() {
        JsonNode body = handled(new IllegalStateException());

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.CONFLICT);
        assertThat(exchange.getResponse().getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(body.path("code").asString()).isEqualTo("entry_changed");
        assertThat(body.path("action").asString()).isNotBlank();
    }

    @Test
    void aFailureInsideASpringException_isStillTheService() {
        JsonNode body =
                handled(new ResponseStatusException(HttpStatus.BAD_REQUEST, "unreadable", new IllegalStateException()));

        assertThat(body.path("code").asString()).isEqualTo("entry_changed");
    }

    @Test
    void aThrownProblem_isAnsweredAsItIs() {
        JsonNode body = handled(ProblemException.of(Problem.of(HttpStatus.NOT_FOUND, "no_such_thing", "No thing 7.")));

        assertThat(body.path("detail").asString()).isEqualTo("No thing 7.");
        assertThat(body.path("status").asInt()).isEqualTo(404);
    }

    @Test
    void anUnknownPath_namesTheRequest() {
        JsonNode body = handled(new ResponseStatusException(HttpStatus.NOT_FOUND));

        assertThat(body.path("code").asString()).isEqualTo("not_found");
        assertThat(body.path("detail").asString()).isEqualTo("No endpoint matches GET /api/v1/things.");
    }

    @Test
    void aWrongMethod_namesTheRightOnesInBodyAndHeader() {
        JsonNode body = handled(new MethodNotAllowedException(HttpMethod.GET, Set.of(HttpMethod.PUT)));

        assertThat(body.path("code").asString()).isEqualTo("method_not_allowed");
        assertThat(body.path("detail").asString()).contains("GET", "PUT");
        assertThat(exchange.getResponse().getHeaders().getAllow()).containsExactly(HttpMethod.PUT);
    }

    @Test
    void anythingElse_isInternalAndTellsNoDetails() {
        JsonNode body = handled(new IllegalArgumentException("secret"));

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(body.path("code").asString()).isEqualTo(Problem.INTERNAL);
        assertThat(body.toString()).doesNotContain("secret");
    }

    @Test
    void aDefectThatSpringFound_isInternalAndTellsNoDetails() {
        JsonNode body = handled(new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, "secret"));

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(body.path("code").asString()).isEqualTo(Problem.INTERNAL);
        assertThat(body.toString()).doesNotContain("secret");
    }

    @Test
    void aMalformedContentType_isUnsupportedAndNotADefect() {
        JsonNode body = handled(catchThrowable(() -> MediaType.parseMediaType("garbage")));

        assertThat(body.path("status").asInt()).isEqualTo(415);
        assertThat(body.path("detail").asString()).contains("garbage");
    }

    @Test
    void aBodyWithTwoValues_isExplainedWithoutNamesOfClasses() {
        JsonMapper strict = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        Throwable unreadable = catchThrowable(() -> strict.readValue("{} {}", JsonNode.class));

        JsonNode body = handled(new ServerWebInputException("unreadable", null, unreadable));

        assertThat(body.path("status").asInt()).isEqualTo(400);
        assertThat(body.path("detail").asString()).contains("more text follows").doesNotContain("jackson");
    }

    @Test
    void aContentTypeThatIsNotSupported_isExplainedWithoutNamesOfClasses() {
        Throwable wrong = new UnsupportedMediaTypeStatusException(
                MediaType.TEXT_PLAIN, List.of(MediaType.APPLICATION_JSON), ResolvableType.forClass(Handler.class));

        JsonNode body = handled(wrong);

        assertThat(body.path("status").asInt()).isEqualTo(415);
        assertThat(body.path("detail").asString())
                .contains("text/plain", "application/json")
                .doesNotContain("Handler");
    }

    private JsonNode handled(Throwable failure) {
        new Handler().handle(exchange, failure).block();
        return body();
    }

    private JsonNode written(Problem problem) {
        problem.writeTo(exchange).block();
        return body();
    }

    private JsonNode body() {
        MockServerHttpResponse response = exchange.getResponse();
        return JsonMapper.shared()
                .readTree(String.valueOf(response.getBodyAsString().block()));
    }
}
