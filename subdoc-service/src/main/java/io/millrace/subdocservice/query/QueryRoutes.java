package io.millrace.subdocservice.query;

import io.millrace.accessspring.RefusalMarks;
import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.httpdoor.LimitedBody;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.n1ql.CompiledStatement;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1qldocuments.SubjectRights;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.Requester;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The endpoints of the query service. */
final class QueryRoutes {

    private static final MediaType ANSWER = MediaType.parseMediaType("application/json;version=2.0.0-N1QL");

    private static final String RETRY_AFTER_SECONDS = "1";

    private static final FormHttpMessageReader FORMS = forms();
    private static final ResolvableType FORM_TYPE =
            ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, String.class);

    private final QueryEngine engine;
    private final Requester requester;
    private final Scheduler scheduler;
    private final FollowedWork work;

    QueryRoutes(QueryEngine engine, Requester requester, Scheduler scheduler, FollowedWork work) {
        this.work = work;
        this.engine = engine;
        this.requester = requester;
        this.scheduler = scheduler;
    }

    RouterFunction<ServerResponse> router() {
        return RouterFunctions.route()
                .POST("/query/service", this::post)
                .GET("/query/service", this::get)
                .GET("/admin/ping", request -> json(200, "{\"status\":\"OK\"}"))
                .GET("/admin/active_requests", request -> json(200, active()))
                .GET("/admin/active_requests/{requestId}", this::one)
                .DELETE("/admin/active_requests/{requestId}", this::cancel)
                .build();
    }

    private static Mono<ServerResponse> json(int status, String body) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body);
    }

    // ---- requests

    /** A GET request is read-only. */
    private Mono<ServerResponse> get(ServerRequest request) {
        return answer(
                request,
                () -> QueryRequest.of(texts(request.queryParams()), true).readonly());
    }

    private Mono<ServerResponse> post(ServerRequest request) {
        boolean form;
        try {
            form = request.headers()
                    .contentType()
                    .filter(MediaType.APPLICATION_FORM_URLENCODED::isCompatibleWith)
                    .isPresent();
        } catch (InvalidMediaTypeException e) {
            QueryException refused = QueryException.of(
                    ErrorCode.BAD_VALUE,
                    "The Content-Type is not valid: " + e.getMediaType()
                            + ". Use application/json or application/x-www-form-urlencoded");
            return answer(request, () -> {
                throw refused;
            });
        }
        Mono<Reading> read = form
                ? FORMS.readMono(
                                FORM_TYPE,
                                HeldBytes.of(request.exchange())
                                        .countedRequest(request.exchange().getRequest()),
                                Map.of())
                        .defaultIfEmpty(new LinkedMultiValueMap<>())
                        .map(fields -> () -> QueryRequest.of(texts(fields), true))
                : LimitedBody.readCounted(request.exchange(), QueryLimits.MAX_REQUEST_BYTES, QueryRoutes::tooLarge)
                        .map(body -> () -> jsonRequest(body));
        return read.onErrorMap(DataBufferLimitException.class, e -> tooLarge())
                .onErrorMap(
                        BudgetExceededException.class, e -> QueryException.unavailable(BudgetExceededException.MESSAGE))
                .onErrorMap(
                        IllegalArgumentException.class,
                        e -> QueryException.of(ErrorCode.BAD_VALUE, "The body is not a valid form: " + e.getMessage()))
                .onErrorResume(
                        QueryException.class,
                        e -> Mono.just(() -> {
                            throw e;
                        }))
                .flatMap(reading -> answer(request, reading));
    }

    /** Reads forms up to the limit of a request; those of the exchange have a lower one. */
    private static FormHttpMessageReader forms() {
        FormHttpMessageReader forms = new FormHttpMessageReader();
        forms.setMaxInMemorySize(QueryLimits.MAX_REQUEST_BYTES);
        return forms;
    }

    /** Returns the last value of each field; ignores a field without a value. */
    private static Map<String, Value> texts(MultiValueMap<String, String> fields) {
        Map<String, Value> texts = new HashMap<>();
        fields.forEach((name, values) -> {
            @Nullable String last = values.getLast(); // Spring has null for a field without an equals sign
            if (last != null) {
                texts.put(name, Value.of(last));
            }
        });
        return texts;
    }

    private static QueryException tooLarge() {
        return QueryException.of(
                ErrorCode.BAD_VALUE, "The request is larger than " + QueryLimits.MAX_REQUEST_BYTES + " bytes");
    }

    private static QueryRequest jsonRequest(byte[] body) {
        try {
            JsonCursor.check(body);
        } catch (MalformedJson e) {
            throw QueryException.of(
                    ErrorCode.BAD_VALUE,
                    "The body is not JSON: %s (line %d, column %d)".formatted(e.detail(), e.line(), e.column()));
        }
        if (!(Json.trusted(body) instanceof ObjectValue object)) {
            throw QueryException.of(ErrorCode.BAD_VALUE, "The body is not a JSON object");
        }
        return QueryRequest.of(object.fields(), false);
    }

    // ---- answers

    private interface Reading {
        QueryRequest read();
    }

    private Mono<ServerResponse> answer(ServerRequest http, Reading reading) {
        StatementRights rights = new SubjectRights(requester.subject(http));
        return Mono.fromCallable(() -> wanted(work.during(http, () -> begin(reading, rights))))
                .subscribeOn(scheduler)
                .doOnNext(answer -> markIfRefused(http, answer))
                .flatMap(answer -> ServerResponse.status(answer.httpStatus())
                        .contentType(ANSWER)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store")
                        .headers(headers -> retryIfTemporary(answer, headers))
                        .body((message, context) -> write(http, message, answer)));
    }

    private static void markIfRefused(ServerRequest http, QueryResponse answer) {
        String refusal = answer.refusal();
        if (refusal != null) {
            RefusalMarks.refused(http.exchange(), answer.kind(), refusal);
        }
    }

    private static void retryIfTemporary(QueryResponse answer, HttpHeaders headers) {
        if (answer.httpStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
    }

    /** Closes the response if the client has disconnected, which interrupts this thread: it will not be written then. */
    private static QueryResponse wanted(QueryResponse answer) {
        if (Thread.currentThread().isInterrupted()) {
            answer.close();
        }
        return answer;
    }

    /** Writes a complete response at once, any other one piece by piece. */
    private Mono<Void> write(ServerRequest http, ReactiveHttpOutputMessage message, QueryResponse answer) {
        HeldBytes held = HeldBytes.of(http.exchange());
        byte[] whole = answer.whole();
        if (whole == null) {
            return message.writeAndFlushWith(pieces(http, answer, held).map(Mono::just));
        }
        held.hold(whole.length);
        message.getHeaders().setContentLength(whole.length);
        return message.writeWith(Mono.just(message.bufferFactory().wrap(whole)));
    }

    private QueryResponse begin(Reading reading, StatementRights rights) {
        long begun = System.nanoTime();
        QueryRequest request;
        try {
            request = reading.read();
        } catch (QueryException e) {
            return QueryResponse.of(QueryRequest.unreadable(), begun, e);
        }
        QueryOptions options = request.options().withRights(rights);
        try {
            String statement = request.statement();
            String prepared = request.prepared();
            CompiledStatement compiled =
                    statement != null ? engine.prepare(statement) : engine.prepared(prepared == null ? "" : prepared);
            String prepares = compiled.prepares();
            if (request.autoExecute() && prepares != null) {
                compiled.run(options).close();
                return QueryResponse.of(
                        request.ofPrepared(prepares),
                        begun,
                        engine.prepared(prepares).run(options));
            }
            return QueryResponse.of(request, begun, compiled.run(options));
        } catch (QueryException e) {
            return QueryResponse.of(request, begun, e);
        }
    }

    /** Rows are read as the client takes them; when the client disconnects, the statement is cancelled. */
    private Flux<DataBuffer> pieces(ServerRequest http, QueryResponse answer, HeldBytes held) {
        AtomicInteger latest = new AtomicInteger();
        Flux<DataBuffer> pieces = Flux.generate(
                () -> answer,
                (state, sink) -> {
                    byte[] piece = work.during(http, state::piece);
                    int bytes = piece == null ? 0 : piece.length;
                    held.replace(latest.getAndSet(bytes), bytes);
                    if (piece == null) {
                        sink.complete();
                    } else {
                        sink.next(DefaultDataBufferFactory.sharedInstance.wrap(piece));
                    }
                    return state;
                },
                QueryResponse::close);
        return pieces.doOnCancel(answer::cancel).subscribeOn(scheduler);
    }

    // ---- administration

    private String active() {
        List<Value> requests = new ArrayList<>();
        engine.active().values().forEach(request -> requests.add(describe(request)));
        return ArrayValue.of(requests).toJson();
    }

    private static Value describe(ActiveRequest request) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("requestId", Value.of(request.id()));
        fields.put("statement", Value.of(request.statement()));
        String clientContextId = request.clientContextId();
        if (clientContextId != null) {
            fields.put("clientContextID", Value.of(clientContextId));
        }
        fields.put("requestTime", Value.of(request.begun().toString()));
        return ObjectValue.of(fields);
    }

    private Mono<ServerResponse> one(ServerRequest request) {
        ActiveRequest found = engine.active().get(request.pathVariable("requestId"));
        return found == null
                ? json(404, "{\"error\":\"no such request\"}")
                : json(200, describe(found).toJson());
    }

    private Mono<ServerResponse> cancel(ServerRequest request) {
        return engine.cancel(request.pathVariable("requestId"))
                ? json(200, "true")
                : json(404, "{\"error\":\"no such request\"}");
    }
}
