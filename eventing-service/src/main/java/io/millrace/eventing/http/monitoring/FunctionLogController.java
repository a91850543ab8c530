package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.applog.FunctionLogs.WrittenLine;
import io.millrace.eventing.applog.LogMerge;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.metakv.NodeInfo;
import io.millrace.workerprotocol.LogLine;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** Logs of functions, as text and as a stream of new lines. */
@RestController
@Tag(name = "logs")
class FunctionLogController {

    /** How many lines are buffered for a slow reader; further lines replace the oldest. */
    private static final int WAITING_LINES = 1000;

    /** How often a heartbeat is sent, so that a broken connection is noticed. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** How often a stream looks for new nodes to follow. */
    private static final Duration NODE_POLL = Duration.ofSeconds(2);

    private final Status status;
    private final FunctionLogs logs;
    private final Peers peers;
    private final InstantSource clock;

    FunctionLogController(Status status, FunctionLogs logs, Peers peers, InstantSource clock) {
        this.status = status;
        this.logs = logs;
        this.peers = peers;
        this.clock = clock;
    }

    @GetMapping(value = "/getAppLog", produces = "text/plain;charset=UTF-8")
    @Operation(
            summary = "The log of a function, newest line first, up to size bytes",
            description =
                    "The merged log of all nodes, or with aggregate=false of this node. The first line names nodes"
                            + " that did not answer in time.")
    Mono<String> log(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(defaultValue = "40960") int size,
            @RequestParam(required = false) @Nullable String aggregate) {
        if (name == null || name.isEmpty()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST, "The query parameter name, the name of a function, is missing.");
        }
        if (size < 1) {
            throw FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, "size must be a number of bytes of at least 1.");
        }
        FunctionName function = FunctionName.of(bucket, scope, name);
        Mono<String> here = Requests.work(
                () -> logs.newestFirst(status.summary(function).name().toString(), size));
        return Peers.wanted(aggregate)
                ? here.zipWhen(own -> peers.ask(
                                HttpMethod.GET,
                                "/getAppLog",
                                function,
                                Map.of("name", name, "size", Integer.toString(size))))
                        .map(both -> merged(both.getT1(), both.getT2(), size))
                : here;
    }

    private String merged(String own, List<Peers.Reply> others, int size) {
        if (others.isEmpty()) {
            return own;
        }
        List<String> all = new ArrayList<>(List.of(own));
        others.stream().map(Peers.Reply::text).filter(Objects::nonNull).forEach(all::add);
        List<String> missing = Peers.Reply.missing(others);
        return (missing.isEmpty() ? "" : LogMerge.missing(missing, clock.instant()))
                + LogMerge.newestFirst(all, Math.min(size, FunctionLogs.MAX_READ_BYTES));
    }

    @GetMapping(value = "/api/v1/functions/{name}/log", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            summary = "Follow the log of a function",
            description =
                    "Server-sent events without end, one JSON object for each new line of any node. Comments keep the"
                            + " connection alive and name nodes that do not answer.")
    Flux<ServerSentEvent<Object>> tail(FunctionName name, @RequestParam(required = false) @Nullable String aggregate) {
        String function = status.summary(name).name().toString();
        Flux<ServerSentEvent<Object>> own = Flux.<WrittenLine>create(
                        sink -> {
                            Runnable stop = logs.follow(function, sink::next);
                            sink.onDispose(stop::run);
                        },
                        FluxSink.OverflowStrategy.IGNORE)
                .map(line -> ServerSentEvent.<Object>builder(shown(line)).build());
        Flux<ServerSentEvent<Object>> lines = (Peers.wanted(aggregate) ? Flux.merge(own, others(name)) : own)
                .onBackpressureBuffer(WAITING_LINES, BufferOverflowStrategy.DROP_OLDEST);
        Flux<ServerSentEvent<Object>> heartbeats = Flux.interval(Duration.ZERO, HEARTBEAT)
                .onBackpressureDrop()
                .map(tick -> comment("following " + function));
        return Flux.merge(lines, heartbeats);
    }

    /** Follows the other nodes, including nodes that join later; a comment names a node that does not answer. */
    private Flux<ServerSentEvent<Object>> others(FunctionName name) {
        Set<String> followed = ConcurrentHashMap.newKeySet();
        return Flux.interval(Duration.ZERO, NODE_POLL)
                .onBackpressureDrop()
                .concatMapIterable(tick -> peers.nodes())
                .filter(node -> followed.add(node.id()))
                .flatMap(node -> other(node, name).doFinally(end -> followed.remove(node.id())));
    }

    private Flux<ServerSentEvent<Object>> other(NodeInfo node, FunctionName name) {
        return peers.follow(node, "/api/v1/functions/" + name.name() + "/log", name)
                .map(line -> ServerSentEvent.<Object>builder(line).build())
                .onErrorResume(failure -> Flux.just(comment("node " + node.id() + " does not answer")));
    }

    private static ServerSentEvent<Object> comment(String text) {
        return ServerSentEvent.<Object>builder().comment(text).build();
    }

    private static Map<String, Object> shown(WrittenLine written) {
        LogLine line = written.line();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("time", Instant.ofEpochMilli(line.epochMillis()).toString());
        shown.put("level", line.level());
        shown.put("version", written.version());
        LogLine.About about = line.about();
        if (!about.trace().isEmpty()) {
            shown.put("trace", about.trace());
        }
        if (about.ofDocument()) {
            shown.put("document", about.id());
            shown.put("scope", about.scope());
            shown.put("collection", about.collection());
        } else if (about.ofStream()) {
            shown.put("stream", about.id());
        }
        shown.put("text", line.text());
        return shown;
    }
}
