package io.millrace.gateway.fastpath;

import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpClient;

/**
 * The connections to one service over which requests of the fast path go, apart for each event loop: the thread that reads a
 * request sends it and passes the response on. As many are kept as were in use at the same time; who asks for them limits that.
 */
public final class ServicePool {

    private final TcpClient connector;
    private final String authority;
    private final String prefix;
    private final Duration kept;
    private final Map<EventLoop, Deque<ServiceConnection>> idle = new ConcurrentHashMap<>();

    /**
     * @param connector opens connections to the service and keeps none
     * @param service its URL, without a slash at the end
     * @param kept how long a connection is used after its latest request; less than the service keeps it, which could close it
     *     while it is used
     */
    public ServicePool(TcpClient connector, URI service, Duration kept) {
        this.connector = connector;
        this.authority = service.getAuthority();
        this.prefix = service.getRawPath();
        this.kept = kept;
    }

    /** Returns the value of the header Host. */
    String authority() {
        return authority;
    }

    /** Returns what is in front of the path of a request at the service. */
    String prefix() {
        return prefix;
    }

    /** Emits a connection that the caller alone uses, in the event loop, which is also the one that asks. */
    Mono<ServiceConnection> connection(EventLoop loop) {
        Deque<ServiceConnection> free = idle.computeIfAbsent(loop, first -> new ArrayDeque<>());
        for (ServiceConnection latest = free.pollLast(); latest != null; latest = free.pollLast()) {
            if (latest.isFresh(kept)) {
                return Mono.just(latest);
            }
            latest.close();
        }
        return connector.runOn(loop).connect().map(opened -> ServiceConnection.over(opened.channel(), free));
    }
}
