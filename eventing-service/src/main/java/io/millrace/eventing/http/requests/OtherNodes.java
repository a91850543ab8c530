package io.millrace.eventing.http.requests;

import io.millrace.access.IdentityTokens;
import io.millrace.access.Subject;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.accessspring.RefusalMarks;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.httpdoor.PassedHeaders;
import io.millrace.httpdoor.Pieces;
import io.millrace.metakv.NodeInfo;
import io.netty.channel.ChannelOption;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Sends requests for functions that no worker of this node runs on to other nodes. A node that has none either says so without
 * calling anything, and the next one is asked. The node that calls the function checks and records all that this one would.
 */
@Component
final class OtherNodes {

    /** Marks a request that was sent on; it is not sent on again. */
    private static final String SENT_ON = "X-Millrace-Sent-On";

    /** Says in a response to such a request that the function was not called. */
    private static final String NOT_CALLED = "X-Millrace-Not-Called";

    /** Also what this node sets itself. */
    private static final Set<String> NOT_SENT_ON = Stream.concat(
                    PassedHeaders.NOT_OF_REQUESTS.stream(),
                    Stream.of("content-length", IdentityTokens.HEADER.toLowerCase(Locale.ROOT)))
            .collect(Collectors.toUnmodifiableSet());

    private static final Logger LOG = LoggerFactory.getLogger(OtherNodes.class);

    /** Nodes are neighbors: one that does not answer by then is gone, and the next one is asked. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final Peers peers;
    private final ClusterNode cluster;
    private final ClusterIdentity identity;

    /** A connection that was open may have ended: a request that is sent over it may, or may not, have arrived. */
    private final WebClient http = WebClient.builder()
            .clientConnector(new ReactorClientHttpConnector(
                    HttpClient.newConnection().disableRetry(true).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                            CONNECT_PATIENCE.toMillis())))
            .build();

    OtherNodes(Peers peers, ClusterNode cluster, ClusterIdentity identity) {
        this.peers = peers;
        this.cluster = cluster;
        this.identity = identity;
    }

    /** Returns whether another node has sent a request on. */
    static boolean hasSent(ServerHttpRequest request) {
        return request.getHeaders().containsHeader(SENT_ON);
    }

    /** Tells the node that has sent a request on that the function was not called. */
    static void tellNotCalled(ServerHttpResponse response) {
        LastHeaders.set(response, headers -> headers.set(NOT_CALLED, "true"));
    }

    /** Returns whether a header is a mark between nodes, which functions neither see nor set. */
    static boolean isMark(String header) {
        return header.equalsIgnoreCase(SENT_ON) || header.equalsIgnoreCase(NOT_CALLED);
    }

    /**
     * Answers a request with what the first node answers that calls the function; empty if none does.
     *
     * @param patience how long a node may be silent
     */
    Mono<Boolean> answer(ServerWebExchange exchange, String function, Subject caller, byte[] body, Duration patience) {
        return Flux.fromIterable(inTurn())
                .concatMap(
                        node -> answer(node, exchange, caller, body, patience)
                                .onErrorMap(WebClientRequestException.class, failure -> Failures.nodeEnded(function)),
                        1)
                .filter(Boolean::booleanValue)
                .next();
    }

    /** Returns the other nodes in any order, those first that share the vbuckets. */
    private List<NodeInfo> inTurn() {
        Map<Boolean, List<NodeInfo>> sharing = peers.nodes().stream()
                .collect(Collectors.partitioningBy(
                        node -> cluster.layout().nodes().contains(node.id())));
        return Stream.of(true, false)
                .flatMap(shares -> {
                    List<NodeInfo> nodes = new ArrayList<>(sharing.getOrDefault(shares, List.of()));
                    Collections.shuffle(nodes);
                    return nodes.stream();
                })
                .toList();
    }

    private Mono<Boolean> answer(
            NodeInfo node, ServerWebExchange exchange, Subject caller, byte[] body, Duration patience) {
        ServerHttpRequest request = exchange.getRequest();
        WebClient.RequestBodySpec sent = http.method(request.getMethod())
                .uri(uri(node, request))
                .headers(headers -> headers(request, caller, body, headers))
                .httpRequest(raw -> ((HttpClientRequest) raw.getNativeRequest()).responseTimeout(patience));
        // as it came: the client's own writers add a Content-Type
        return (body.length == 0
                        ? sent
                        : sent.body((message, context) -> message.writeWith(
                                Mono.just(message.bufferFactory().wrap(body)))))
                .exchangeToMono(answer -> answer.headers().asHttpHeaders().containsHeader(NOT_CALLED)
                        ? answer.releaseBody().thenReturn(false)
                        : pass(answer, exchange).thenReturn(true))
                .onErrorResume(OtherNodes::isUnreachable, failure -> {
                    LOG.warn("event=peer_unreachable node={} reason=\"{}\"", node.id(), failure.toString());
                    return Mono.just(false);
                });
    }

    private static URI uri(NodeInfo node, ServerHttpRequest request) {
        URI asked = request.getURI();
        String query = asked.getRawQuery();
        return URI.create(node.address() + asked.getRawPath() + (query == null ? "" : "?" + query));
    }

    private void headers(ServerHttpRequest request, Subject caller, byte[] body, HttpHeaders to) {
        copy(request.getHeaders(), NOT_SENT_ON, to::put);
        if (body.length > 0) {
            to.setContentLength(body.length);
        }
        Map<String, String> passed = identity.headersFor(caller);
        if (!passed.isEmpty()) {
            to.remove(HttpHeaders.AUTHORIZATION);
            to.remove(HttpHeaders.COOKIE);
            passed.forEach(to::set);
        }
        to.set(SENT_ON, cluster.id());
    }

    private static void copy(HttpHeaders from, Set<String> left, BiConsumer<String, List<String>> to) {
        Set<String> named = from.getConnection().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        from.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!left.contains(lower) && !named.contains(lower)) {
                to.accept(name, values);
            }
        });
    }

    private static boolean isUnreachable(Throwable failure) {
        return failure instanceof WebClientRequestException
                && (failure.getCause() instanceof ConnectException
                        || failure.getCause() instanceof NoRouteToHostException
                        || failure.getCause() instanceof UnknownHostException);
    }

    private static Mono<Void> pass(ClientResponse answer, ServerWebExchange exchange) {
        RefusalMarks.passedOn(exchange); // the other node has recorded it
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = answer.headers().asHttpHeaders();
        response.setStatusCode(answer.statusCode());
        copy(headers, PassedHeaders.HOP_BY_HOP, response.getHeaders()::put);
        Flux<DataBuffer> body = answer.bodyToFlux(DataBuffer.class);
        return headers.getContentLength() < 0 ? Pieces.send(response, body) : response.writeWith(body);
    }
}
