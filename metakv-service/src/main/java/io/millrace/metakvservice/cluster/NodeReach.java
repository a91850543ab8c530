package io.millrace.metakvservice.cluster;

import io.millrace.metakv.NodeInfo;
import io.netty.channel.ChannelOption;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/**
 * Which nodes take connections. A process that was killed takes none from that moment on, long before its lease ends. This is
 * shown to people and decides nothing: a node that cannot be reached from here may still work.
 */
@Component
final class NodeReach {

    /** A machine that is off answers nothing at all. */
    private static final int CONNECT_MILLIS = 1_000;

    /** How long an answer holds, so that many clients cost a node no more than one. */
    private static final Duration HOLDS = Duration.ofSeconds(1);

    private final Duration holds;
    private final TcpClient client = TcpClient.create(ConnectionProvider.newConnection())
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);

    /** Addresses that have taken a connection: others may be closed to this process from the beginning. */
    private final Set<String> reached = ConcurrentHashMap.newKeySet();

    private final Map<String, Mono<Boolean>> answers = new ConcurrentHashMap<>();

    @Autowired
    NodeReach() {
        this(HOLDS);
    }

    NodeReach(Duration holds) {
        this.holds = holds;
    }

    /** Completes with the ids of those nodes that took a connection before and take none now. */
    Mono<SortedSet<String>> unreachable(Collection<NodeInfo> nodes) {
        Set<String> addresses = nodes.stream().map(NodeInfo::address).collect(Collectors.toSet());
        answers.keySet().retainAll(addresses);
        reached.retainAll(addresses);
        return Flux.fromIterable(nodes)
                .filterWhen(node -> takes(node.address()).map(taken -> !taken && reached.contains(node.address())))
                .map(NodeInfo::id)
                .collect(() -> (SortedSet<String>) new TreeSet<String>(), SortedSet::add);
    }

    private Mono<Boolean> takes(String address) {
        return answers.computeIfAbsent(
                address,
                known -> Mono.defer(() -> connect(known))
                        .retry(1) // a queue that was full for a moment
                        .doOnNext(taken -> reached.add(known))
                        .onErrorReturn(false)
                        .cache(holds));
    }

    private Mono<Boolean> connect(String address) {
        URI uri = URI.create(address);
        int usual = "https".equals(uri.getScheme()) ? 443 : 80;
        return client.host(uri.getHost())
                .port(uri.getPort() < 0 ? usual : uri.getPort())
                .connect()
                .map(connection -> {
                    connection.dispose();
                    return true;
                });
    }
}
