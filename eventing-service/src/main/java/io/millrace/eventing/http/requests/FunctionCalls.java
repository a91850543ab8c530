package io.millrace.eventing.http.requests;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.accessspring.Subjects;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.httpdoor.LimitedBody;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.HttpRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Calls {@code OnRequest} of functions on a worker of this node, or of another one if this one has none. Thread-safe. */
@Component
final class FunctionCalls {

    private static final int SCOPED_PARTS = 3;

    /** The value of request_access that opens a function to everyone. */
    private static final String PUBLIC = "public";

    /** Says that a response is that to an earlier request with the same {@code Idempotency-Key}. */
    private static final String REPLAYED = "Idempotency-Replayed";

    private final Definitions definitions;
    private final FunctionRuntime runtime;
    private final IdempotentCalls calls;
    private final RequestTraces traces;
    private final OtherNodes others;
    private final RequestSchemas schemas = new RequestSchemas();
    private final Slots slots = new Slots(RequestLimits.MAX_IN_FLIGHT_PER_FUNCTION, RequestLimits.MAX_IN_FLIGHT);

    FunctionCalls(
            Definitions definitions,
            FunctionRuntime runtime,
            AnswerStore answers,
            RequestTraces traces,
            OtherNodes others) {
        this.definitions = definitions;
        this.runtime = runtime;
        this.traces = traces;
        this.others = others;
        this.calls = new IdempotentCalls(answers, InstantSource.system());
    }

    /**
     * A function that a caller may call.
     *
     * @param settings as they were when that was found
     */
    record Admitted(FunctionName function, Subject caller, Settings settings) {}

    /**
     * Returns the function of a request, or nothing if there is none that its subject may call.
     *
     * @param name the name of the function, or {@code bucket:scope:name} of one that belongs to a scope
     */
    Optional<Admitted> admitted(String name, ServerWebExchange exchange) {
        Subject caller = Subjects.of(exchange);
        return function(name)
                .flatMap(function -> definitions
                        .settingsOf(function)
                        .filter(settings -> isPublic(settings) || mayCall(caller, function))
                        .map(settings -> new Admitted(function, caller, settings)));
    }

    /** Returns why {@link #admitted} is empty: who may not call a function does not learn whether it exists. */
    ProblemException refusal(String name, ServerWebExchange exchange) {
        Subject caller = Subjects.of(exchange);
        if (!caller.known()) {
            return Failures.notLoggedIn();
        }
        return function(name)
                .filter(function -> !mayCall(caller, function))
                .map(function -> Failures.forbidden(caller.name(), function.toString()))
                .orElseGet(() -> Failures.notFound(name));
    }

    /** Calls the function and writes its response. Throws, or fails with, a {@link ProblemException} if it was not called. */
    Mono<Void> call(Admitted admitted, ServerWebExchange exchange) {
        FunctionName function = admitted.function();
        Subject caller = admitted.caller();
        Settings settings = admitted.settings();
        Duration timeout = timeout(settings);
        Slots.Slot slot = slot(function);
        return LimitedBody.read(exchange.getRequest(), RequestLimits.MAX_BODY_BYTES, Failures::tooLarge)
                .flatMap(body -> call(exchange, function, caller, body, settings, slot)
                        .map(answer -> isForOthers(exchange, function, answer.result())
                                ? elsewhere(exchange, function, caller, body, timeout, slot)
                                : answer(exchange, function, caller, answer, timeout)))
                .doFinally(end -> slot.release())
                .flatMap(answer -> answer);
    }

    private static Optional<FunctionName> function(String name) {
        String[] parts = name.split(":", -1);
        try {
            return Optional.of(
                    parts.length == SCOPED_PARTS
                            ? FunctionName.of(parts[0], parts[1], parts[2])
                            : FunctionName.of(name));
        } catch (FunctionsException invalid) {
            return Optional.empty();
        }
    }

    private static boolean mayCall(Subject caller, FunctionName function) {
        return caller.known() && allowed(caller, Permission.FUNCTIONS_EXECUTE, function);
    }

    private boolean isForOthers(ServerWebExchange exchange, FunctionName function, RequestResult result) {
        return result instanceof RequestResult.NoWorker
                && !OtherNodes.hasSent(exchange.getRequest())
                && definitions.isDeployed(function);
    }

    /** @param here the slot of the attempt on this node, which is over */
    private Mono<Void> elsewhere(
            ServerWebExchange exchange,
            FunctionName function,
            Subject caller,
            byte[] body,
            Duration timeout,
            Slots.Slot here) {
        return Mono.defer(() -> {
            here.end();
            Slots.Slot slot = slot(function);
            return others.answer(exchange, function.toString(), caller, body, timeout.plus(RequestLimits.PATIENCE))
                    .switchIfEmpty(Mono.error(() -> Failures.noWorker(function.toString())))
                    .doFinally(end -> slot.release())
                    .then();
        });
    }

    private Slots.Slot slot(FunctionName function) {
        return slots.take(function.toString()).orElseThrow(() -> Failures.tooMany(function.toString()));
    }

    private static Mono<Void> answer(
            ServerWebExchange exchange,
            FunctionName function,
            Subject caller,
            IdempotentCalls.Answer answer,
            Duration timeout) {
        if (answer.repeated()) {
            LastHeaders.set(exchange.getResponse(), headers -> headers.set(REPLAYED, "true"));
        }
        return answer(exchange, function, caller, answer.result(), timeout);
    }

    private static boolean isPublic(Settings settings) {
        return settings.text(Setting.REQUEST_ACCESS).equals(PUBLIC);
    }

    private static Duration timeout(Settings settings) {
        Duration execution = Duration.ofSeconds(settings.whole(Setting.EXECUTION_TIMEOUT));
        return execution.compareTo(RequestLimits.MAX_TIME) < 0 ? execution : RequestLimits.MAX_TIME;
    }

    private static boolean allowed(Subject caller, Permission permission, FunctionName function) {
        return Access.allowed(caller, permission, Resource.functionScope(function.bucket(), function.scope()));
    }

    private Mono<IdempotentCalls.Answer> call(
            ServerWebExchange exchange,
            FunctionName function,
            Subject caller,
            byte[] body,
            Settings settings,
            Slots.Slot slot) {
        ServerHttpRequest request = exchange.getRequest();
        Duration timeout = timeout(settings);
        HttpRequest read = RequestReader.read(request, caller, body).toPublicFunction(isPublic(settings));
        schemas.check(exchange, function, settings, read.body().bytes());
        Optional<IdempotencyKey> key = IdempotencyKey.of(function.toString(), caller, request, body);
        CompletableFuture<IdempotentCalls.Answer> done = calls.once(
                key,
                () -> traces.follow(
                        request,
                        function,
                        caller,
                        RequestReader.path(request),
                        trace -> run(function, read.withTrace(trace), timeout)));
        slot.keepUntil(done.thenCompose(FunctionCalls::finished));
        Responses.whenOver(exchange.getResponse(), () -> done.thenAccept(FunctionCalls::abandon));
        return Mono.fromFuture(done, true)
                .timeout(timeout.plus(RequestLimits.GRACE))
                .onErrorMap(TimeoutException.class, late -> Failures.late(function.toString(), timeout));
    }

    /** Completes when the worker is done. */
    private static CompletableFuture<?> finished(IdempotentCalls.Answer answer) {
        return answer.result() instanceof RequestResult.Streamed(var response)
                ? response.ended()
                : CompletableFuture.completedFuture(answer);
    }

    /** Also when its response begins only after the client has hung up or was told that it is late. */
    private static void abandon(IdempotentCalls.Answer answer) {
        if (answer.result() instanceof RequestResult.Streamed(var response)) {
            response.abandon();
        }
    }

    private CompletableFuture<RequestResult> run(FunctionName function, HttpRequest request, Duration timeout) {
        CompletableFuture<RequestResult> done = new CompletableFuture<>();
        // the link to the worker blocks
        Thread.ofVirtual().name("request-" + function).start(() -> {
            try {
                runtime.request(function.toString(), request, timeout)
                        .thenAccept(done::complete)
                        .exceptionally(failure -> {
                            done.completeExceptionally(failure);
                            return null;
                        });
            } catch (RuntimeException | Error failure) {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }

    private static Mono<Void> answer(
            ServerWebExchange exchange, FunctionName function, Subject caller, RequestResult result, Duration timeout) {
        String name = function.toString();
        return switch (result) {
            case RequestResult.NoWorker() -> {
                if (OtherNodes.hasSent(exchange.getRequest())) {
                    OtherNodes.tellNotCalled(exchange.getResponse());
                }
                yield Mono.error(Failures.noWorker(name));
            }
            case RequestResult.WorkerEnded() -> Mono.error(Failures.workerEnded(name));
            case RequestResult.Streamed(var response) -> Responses.write(exchange, response, timeout);
            case RequestResult.Answered(var outcome, var response) ->
                switch (outcome.result()) {
                    case SUCCESS -> Responses.write(exchange, response);
                    case SKIPPED -> Mono.error(Failures.notDeclared(name));
                    case TIMED_OUT -> Mono.error(Failures.late(name, timeout));
                    case THREW, OUT_OF_MEMORY, WRITE_FAILED, WORKER_ENDED ->
                        Mono.error(
                                Failures.failed(name, outcome, allowed(caller, Permission.FUNCTIONS_READ, function)));
                };
        };
    }
}
