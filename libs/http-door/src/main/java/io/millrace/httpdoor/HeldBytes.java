package io.millrace.httpdoor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The bytes that one HTTP request and its response hold of the budget of their service. They are returned when the response has
 * been sent, or the client has gone, at the latest. Thread-safe.
 */
public final class HeldBytes {

    private static final String ATTRIBUTE = HeldBytes.class.getName();

    private final ByteBudget budget;
    private long held;
    private boolean ended;

    HeldBytes(ByteBudget budget) {
        this.budget = budget;
    }

    /** Returns the bytes of an exchange; outside of a server with a budget there is no limit. */
    public static HeldBytes of(ServerWebExchange exchange) {
        HeldBytes known = exchange.getAttribute(ATTRIBUTE);
        return known == null ? new HeldBytes(new ByteBudget(Long.MAX_VALUE, Duration.ZERO)) : known;
    }

    static HeldBytes begin(ServerWebExchange exchange, ByteBudget budget) {
        HeldBytes begun = new HeldBytes(budget);
        exchange.getAttributes().put(ATTRIBUTE, begun);
        return begun;
    }

    /**
     * Waits until bytes fit into the budget; fails with {@link BudgetExceededException} if they do not in time.
     *
     * @param whole the length of what they are a part of
     */
    public Mono<Void> take(long bytes, long whole) {
        return Mono.defer(() -> {
            if (budget.take(bytes, whole)) {
                added(bytes);
                return Mono.empty();
            }
            // not cancelled with the request: the bytes may have been taken already
            return Mono.fromFuture(budget.reserve(bytes, whole).thenApply(taken -> taken && added(bytes)), true)
                    .flatMap(taken -> taken ? Mono.empty() : Mono.error(new BudgetExceededException()));
        });
    }

    /**
     * Returns the body of the request, of which each piece is taken from the budget as it arrives; fails with
     * {@link BudgetExceededException} when a piece does not fit in time, or when the client sends slowly while others do not fit: then
     * what it holds is of more use to them. For bodies that are read into memory whole.
     */
    public Flux<DataBuffer> counted(ServerHttpRequest request) {
        return counted(request.getBody(), request.getHeaders().getContentLength());
    }

    /** Returns the request with that body, for a reader that asks for a request. */
    public ServerHttpRequest countedRequest(ServerHttpRequest request) {
        return new ServerHttpRequestDecorator(request) {
            @Override
            public Flux<DataBuffer> getBody() {
                return counted(getDelegate());
            }
        };
    }

    /**
     * Returns a body of which each piece is taken from the budget, as {@link #counted(ServerHttpRequest)} does.
     *
     * @param announced its length in bytes, -1 if it is not known
     */
    public Flux<DataBuffer> counted(Flux<DataBuffer> body, long announced) {
        AtomicLong arrived = new AtomicLong();
        BodyPace pace = new BodyPace();
        Flux<DataBuffer> taken = body.concatMap(
                piece -> {
                    long bytes = piece.readableByteCount();
                    long whole = Math.max(announced, arrived.addAndGet(bytes));
                    boolean late = pace.isSlow(bytes, budget.nanos()) && budget.isShort();
                    return (late ? Mono.<Void>error(new BudgetExceededException()) : take(bytes, whole))
                            .doOnSuccess(fits -> pace.waitsForMore(budget.nanos()))
                            .doOnError(failure -> DataBufferUtils.release(piece))
                            .doOnCancel(() -> DataBufferUtils.release(piece))
                            .thenReturn(piece);
                },
                1);
        return MergedPieces.of(taken, announced);
    }

    /** Counts bytes that are in memory already. */
    public void hold(long bytes) {
        budget.hold(bytes);
        added(bytes);
    }

    private boolean added(long bytes) {
        synchronized (this) {
            if (!ended) {
                held += bytes;
                return true;
            }
        }
        budget.give(bytes);
        return false;
    }

    /** Counts the bytes of a piece of a response in place of those of the piece before. */
    public void replace(long former, long bytes) {
        hold(bytes);
        synchronized (this) {
            if (ended) {
                return;
            }
            held -= former;
        }
        budget.give(former);
    }

    /** Ends when the response has been sent: the server reports that it has ended when it is in the buffer of its connection. */
    void endWhenSent(ServerHttpResponse response) {
        long all;
        synchronized (this) {
            all = held;
        }
        if (all > ByteBudgetLimits.SMALL_BYTES
                && ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse server) {
            server.withConnection(connection -> RequestDeadlines.whenSent(connection.channel(), this::end));
        } else {
            end();
        }
    }

    /** Returns all bytes; what is taken from now on is returned at once. */
    void end() {
        long all;
        synchronized (this) {
            ended = true;
            all = held;
            held = 0;
        }
        budget.give(all);
    }
}
