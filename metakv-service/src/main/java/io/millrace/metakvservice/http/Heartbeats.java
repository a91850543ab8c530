package io.millrace.metakvservice.http;

import io.millrace.metakv.MetakvLimits;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;

/** Comments among server-sent events, so that both ends notice a connection that is gone. */
public final class Heartbeats {

    private Heartbeats() {}

    /** Adds a comment every {@link MetakvLimits#HEARTBEAT}, until the events end. */
    public static <T> Flux<ServerSentEvent<T>> among(Flux<ServerSentEvent<T>> events) {
        Flux<ServerSentEvent<T>> heartbeat = Flux.interval(MetakvLimits.HEARTBEAT)
                .onBackpressureDrop()
                .map(beat -> ServerSentEvent.<T>builder().comment("alive").build());
        return events.materialize().mergeWith(heartbeat.materialize()).dematerialize();
    }
}
