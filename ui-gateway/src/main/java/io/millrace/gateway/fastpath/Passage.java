package io.millrace.gateway.fastpath;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** The way of one request to its service and back. */
public interface Passage {

    /** Returns the connections to the service. */
    ServicePool service();

    /** Copies the headers of the client's request that the service gets, and adds those of the gateway. */
    void toService(HttpHeaders from, HttpHeaders to);

    /** Copies the headers of the service's response that the client gets, and adds those of the gateway. */
    void toClient(HttpHeaders from, HttpHeaders to);

    /**
     * Runs the exchange within limits and time-outs. Ends with the response, or fails with what the client is told.
     *
     * @param call emits the header of the response; fails with a {@link java.io.IOException} if there is none
     * @param response passes the response on
     * @param status that of the response, or 0 while there is none
     */
    Mono<Void> run(Mono<HttpResponse> call, Function<HttpResponse, Mono<Void>> response, IntSupplier status);

    /** Returns what the client is told about a response that the service has begun and not ended. */
    Throwable broken(Throwable failure);

    /** Returns how long a response may pause, or null if it may do so without limit. */
    @Nullable
    Duration pause(HttpResponse response);

    /**
     * Counts a request that has ended, unless the server gets it after all, which happens with each that fails before its
     * response has begun.
     *
     * @param end a cancelled request is one whose client has gone
     */
    void ended(int status, SignalType end, @Nullable Throwable failure, long nanos);
}
