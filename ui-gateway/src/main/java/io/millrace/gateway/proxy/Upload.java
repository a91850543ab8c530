package io.millrace.gateway.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Progress of the body of a request through the gateway; shows whether the client or the service is slow. */
final class Upload {

    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private volatile long latestNanos = System.nanoTime();
    private volatile boolean running;
    private volatile boolean broken;

    /** Returns the same body and records its progress. */
    Flux<DataBuffer> watch(Flux<DataBuffer> body) {
        return body.doOnSubscribe(subscription -> running = true)
                .doOnRequest(count -> asked.accumulateAndGet(count, Upload::sum))
                .doOnNext(buffer -> {
                    sent.incrementAndGet();
                    latestNanos = System.nanoTime();
                })
                .doOnError(failure -> broken = true)
                .doOnTerminate(() -> {
                    running = false;
                    latestNanos = System.nanoTime();
                });
    }

    private static long sum(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Returns whether the service waits for more of the body. */
    boolean clientIsLate() {
        return running && asked.get() > sent.get();
    }

    /** Returns whether the client did not send its body to the end. */
    boolean clientFailed() {
        return broken;
    }

    /** Completes with a value once the body has made no progress for the given time. */
    Mono<Long> stalled(Duration patience) {
        return Mono.defer(() -> {
            long left = patience.toNanos() - (System.nanoTime() - latestNanos);
            return left <= 0
                    ? Mono.just(0L)
                    : Mono.delay(Duration.ofNanos(left)).then(stalled(patience));
        });
    }
}
