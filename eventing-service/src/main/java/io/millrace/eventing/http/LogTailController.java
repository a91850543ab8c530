package io.millrace.eventing.http;

import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.functions.FunctionName;
import io.millrace.eventing.functions.Status;
import io.millrace.workerlink.LogLine;
import io.swagger.v3.oas.annotations.Hidden;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/** Logs of functions as they are written. */
@RestController
@Hidden // an answer without end is no answer that a description can show
class LogTailController {

    /** Lines that wait for a slow reader; further ones replace the oldest. */
    private static final int WAITING_LINES = 1000;

    /** So often something is sent, so that a connection which is gone is noticed. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private final Status status;
    private final FunctionLogs logs;

    LogTailController(Status status, FunctionLogs logs) {
        this.status = status;
        this.logs = logs;
    }

    @GetMapping(value = "/api/v1/functions/{name}/log", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<Map<String, Object>>> tail(FunctionName name) {
        String function = status.summary(name).name().toString();
        Flux<ServerSentEvent<Map<String, Object>>> lines = Flux.<LogLine>create(
                        sink -> {
                            Runnable stop = logs.follow(function, sink::next);
                            sink.onDispose(stop::run);
                        },
                        FluxSink.OverflowStrategy.IGNORE)
                .onBackpressureBuffer(WAITING_LINES, BufferOverflowStrategy.DROP_OLDEST)
                .map(line -> ServerSentEvent.builder(shown(line)).build());
        Flux<ServerSentEvent<Map<String, Object>>> signs = Flux.interval(Duration.ZERO, SIGN_OF_LIFE)
                .onBackpressureDrop()
                .map(tick -> ServerSentEvent.<Map<String, Object>>builder()
                        .comment("following " + function)
                        .build());
        return Flux.merge(lines, signs);
    }

    private static Map<String, Object> shown(LogLine line) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("time", Instant.ofEpochMilli(line.epochMillis()).toString());
        shown.put("level", line.level());
        shown.put("text", line.text());
        return shown;
    }
}
