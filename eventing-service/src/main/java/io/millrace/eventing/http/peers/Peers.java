package io.millrace.eventing.http.peers;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.metakv.NodeInfo;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The other eventing nodes, asked over HTTP about their own workers. A request to another node has
 * {@code aggregate=false}, so that the node does not forward it. A node that does not answer in time counts as missing.
 */
@Component
public final class Peers {

    /** How long a node may take to answer. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** How long a stream may be silent; heartbeats are more frequent. */
    private static final Duration SILENCE = Duration.ofSeconds(40);

    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final int MAX_ANSWER_BYTES = 32 << 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ClusterNode cluster;
    private final WebClient http;

    Peers(ClusterNode cluster, ClusterIdentity identity) {
        this.cluster = cluster;
        this.http = WebClient.builder()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MAX_ANSWER_BYTES))
                .filter((request, next) -> next.exchange(ClientRequest.from(request)
                        .headers(headers -> identity.headers().forEach(headers::set))
                        .build()))
                .build();
    }

    /** @param text the body of the response, null if the node did not answer */
    public record Reply(String node, @Nullable String text) {

        /** Returns the response as JSON, a missing node if there is none. */
        public JsonNode json() {
            return text == null ? MissingNode.getInstance() : JSON.readTree(text);
        }

        /** Returns the replies of the nodes that answered. */
        public static List<Reply> answered(List<Reply> replies) {
            return replies.stream().filter(reply -> reply.text() != null).toList();
        }

        /** Returns the nodes that did not answer. */
        public static List<String> missing(List<Reply> replies) {
            return replies.stream()
                    .filter(reply -> reply.text() == null)
                    .map(Reply::node)
                    .toList();
        }
    }

    /** Returns whether a request is for all nodes, which is the default. */
    public static boolean wanted(@Nullable String aggregate) {
        return !Boolean.FALSE.equals(Requests.flag("aggregate", aggregate));
    }

    /** Returns the other live nodes. */
    public List<NodeInfo> nodes() {
        return cluster.nodes().values().stream()
                .filter(node -> !node.id().equals(cluster.id()))
                .toList();
    }

    /** Asks all other nodes concurrently about a function. */
    public Mono<List<Reply>> ask(HttpMethod method, String path, FunctionName function, Map<String, String> query) {
        Map<String, String> scoped = new LinkedHashMap<>(query);
        scoped.putAll(scope(function));
        return ask(method, path, scoped);
    }

    /** Asks all other nodes concurrently about all functions. */
    public Mono<List<Reply>> askAll(String path, Map<String, String> query) {
        return ask(HttpMethod.GET, path, query);
    }

    private Mono<List<Reply>> ask(HttpMethod method, String path, Map<String, String> query) {
        return Flux.fromIterable(nodes())
                .flatMap(node -> ask(method, uri(node, path, query), node.id()))
                .collectSortedList((a, b) -> a.node().compareTo(b.node()));
    }

    private Mono<Reply> ask(HttpMethod method, URI uri, String node) {
        return http.method(method)
                .uri(uri)
                .retrieve()
                .bodyToMono(String.class)
                .defaultIfEmpty("")
                .timeout(PATIENCE)
                .map(text -> new Reply(node, text))
                .onErrorResume(failure -> {
                    LOG.warn("event=peer_unanswered node={} uri={} reason=\"{}\"", node, uri, failure.toString());
                    return Mono.just(new Reply(node, null));
                });
    }

    /** Follows an event stream of JSON on another node, without its comments; fails when the connection breaks. */
    public Flux<JsonNode> follow(NodeInfo node, String path, FunctionName function) {
        return http.get()
                .uri(uri(node, path, scope(function)))
                .accept(MediaType.TEXT_EVENT_STREAM)
                .retrieve()
                .bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .timeout(SILENCE)
                .mapNotNull(ServerSentEvent::data)
                .map(JSON::readTree);
    }

    private static Map<String, String> scope(FunctionName function) {
        return function.bucket().equals(FunctionName.ANY)
                ? Map.of()
                : Map.of("bucket", function.bucket(), "scope", function.scope());
    }

    /** Returns the URI at which a node answers for itself alone. */
    static URI uri(NodeInfo node, String path, Map<String, String> query) {
        UriComponentsBuilder uri =
                UriComponentsBuilder.fromUriString(node.address()).path(path).queryParam("aggregate", "false");
        query.keySet().forEach(name -> uri.queryParam(name, "{" + name + "}"));
        return uri.encode().buildAndExpand(query).toUri();
    }
}
