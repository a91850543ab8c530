package io.millrace.eventing.http.topics;

import io.millrace.eventing.http.Asker;
import io.millrace.eventing.topics.TopicFollowers;
import io.millrace.eventing.topics.TopicReader;
import io.millrace.httpdoor.SentPieces;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.TopicFormat;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The messages of a topic as server-sent events. */
@RestController
@Tag(name = "topics", description = "Messages that functions publish")
final class TopicController {

    private static final Pattern POSITION = Pattern.compile("[0-9]{1,18}(-[0-9]{1,18})?");

    private final TopicFollowers followers;
    private final Map<String, Integer> byUser = new ConcurrentHashMap<>();

    TopicController(TopicReader topics) {
        this.followers = new TopicFollowers(topics);
    }

    @GetMapping(value = "/api/v1/topics/{topic}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            summary = "Follow the messages of a topic",
            description =
                    "Server-sent events without end: `following` with the position, then each message of the Redis stream"
                            + " with the id of its entry, in their order. A message is `{\"message\", \"meta\"}` as"
                            + " OnMessage gets them, with `base64` in place of `message` for bytes. Begins with the messages"
                            + " behind the header Last-Event-ID, or behind `since`; without either, with those that come"
                            + " from now on. `gap` says that messages before the next one may have been removed.")
    Mono<Void> follow(
            @Parameter(example = "shop.orders") @PathVariable String topic,
            @Parameter(description = "an id of an earlier answer, or 0 for all messages that the stream keeps")
                    @RequestParam(required = false)
                    @Nullable
                    String since,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            @Parameter(hidden = true) Asker asker,
            @Parameter(hidden = true) ServerWebExchange exchange) {
        if (!TopicFormat.NAME.matcher(topic).matches()) {
            throw invalid("The name of a topic has 1 to 200 letters, digits, dots, colons, hyphens and underscores.");
        }
        String begin = lastEventId == null || lastEventId.isEmpty() ? since : lastEventId;
        if (begin != null && !POSITION.matcher(begin).matches()) {
            throw invalid(
                    "'%s' is not a position. Send an id of an earlier answer, or 0 for everything.".formatted(begin));
        }
        String user = asker.subject().name();
        requireRoom(user);
        return Mono.fromFuture(() -> followers.newest(topic))
                .onErrorMap(TopicController::unavailable)
                .flatMap(newest -> send(exchange, topic, begin == null ? newest : id(begin), user));
    }

    private static String id(String position) {
        return position.indexOf('-') < 0 ? position + "-0" : position;
    }

    private Mono<Void> send(ServerWebExchange exchange, String topic, String from, String user) {
        ServerHttpResponse response = exchange.getResponse();
        response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
        response.getHeaders().setCacheControl(CacheControl.noStore());
        if (exchange.getRequest().getMethod().equals(HttpMethod.HEAD)) {
            return response.setComplete();
        }
        byUser.merge(user, 1, Integer::sum);
        AtomicReference<String> position = new AtomicReference<>(from);
        Flux<Mono<byte[]>> pieces = Flux.concat(
                Mono.just(Mono.just(TopicEvents.following(from))),
                Flux.generate(sink -> sink.next(SentPieces.await(response).then(piece(topic, position)))));
        return response.writeAndFlushWith(pieces.map(piece -> piece.map(response.bufferFactory()::wrap)))
                .doFinally(end -> byUser.computeIfPresent(user, (name, own) -> own == 1 ? null : own - 1));
    }

    /** Returns the next page, or a comment when there is none for a while. While Redis is unavailable, asks again. */
    private Mono<byte[]> piece(String topic, AtomicReference<String> position) {
        return Mono.fromFuture(() -> followers.next(topic, Objects.requireNonNull(position.get())))
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, FollowLimits.RETRY))
                .map(page -> {
                    position.set(page.entries().getLast().id());
                    return TopicEvents.page(topic, page);
                })
                .timeout(FollowLimits.HEARTBEAT)
                .onErrorReturn(TimeoutException.class, TopicEvents.HEARTBEAT);
    }

    private void requireRoom(String user) {
        int all = byUser.values().stream().mapToInt(own -> own).sum();
        if (all >= FollowLimits.MAX_FOLLOWERS || byUser.getOrDefault(user, 0) >= FollowLimits.MAX_FOLLOWERS_PER_USER) {
            throw ProblemException.of(Problem.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too_many_followers",
                            "This node serves as many followers of topics as it may: %d of one user and %d in all."
                                    .formatted(FollowLimits.MAX_FOLLOWERS_PER_USER, FollowLimits.MAX_FOLLOWERS))
                    .withAction("End another one, or repeat the request later.")
                    .retryAfter(Duration.ofSeconds(1)));
        }
    }

    private static ProblemException invalid(String detail) {
        return ProblemException.of(Problem.of(HttpStatus.BAD_REQUEST, Problem.INVALID_REQUEST, detail));
    }

    private static ProblemException unavailable(Throwable failure) {
        return ProblemException.of(Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "unavailable",
                        "The topic cannot be read from Redis: " + failure.getMessage())
                .retryAfter(Duration.ofSeconds(1)));
    }
}
