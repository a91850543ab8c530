package io.millrace.gateway;

import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.reactivestreams.Publisher;
import org.springframework.test.context.DynamicPropertyRegistry;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import reactor.util.retry.Retry;

/** Plays the services behind the gateway as a test tells it to. */
public final class FakeService {

    /** How long the server may take to end, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** How a request is answered. */
    public interface Scene {
        Publisher<Void> play(HttpServerRequest request, HttpServerResponse response);
    }

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Scene scene = (request, response) -> response.status(404).send();
    /** Of its own: the end of a gateway in the same process ends the loops that all share, and closing would wait for those. */
    private final LoopResources loops = LoopResources.create("fake-service", 1, true);

    private volatile DisposableServer server;
    private int port;

    public FakeService() {
        start();
    }

    /** Listens on the port of before; that is let go a moment after the server says that it has stopped. */
    public void start() {
        server = Objects.requireNonNull(HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .runOn(loops)
                .channelGroup(new DefaultChannelGroup(GlobalEventExecutor.INSTANCE)) // closed with the server
                .handle((request, response) -> {
                    if (request.uri().startsWith("/_metakv/users/")
                            || request.uri().startsWith("/_metakv/apikey")) {
                        return response.status(404).send(); // the gateway follows the users: no part of a scene
                    }
                    asked.add(request.method() + " " + request.uri());
                    return scene.play(request, response);
                })
                .bind()
                .retryWhen(Retry.fixedDelay(100, Duration.ofMillis(100)).filter(ChannelBindException.class::isInstance))
                .block());
        port = server.port();
    }

    public void stop() {
        server.disposeNow(PATIENCE);
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Makes all services of a gateway under test this one. */
    public void register(DynamicPropertyRegistry properties) {
        for (String service : List.of("eventing", "subdoc", "metakv")) {
            properties.add("millrace." + service + ".url", this::url);
        }
    }

    public void plays(Scene next) {
        scene = next;
        asked.clear();
    }

    public void answers(int status, String json) {
        plays((request, response) -> request.receive()
                .then(response.status(status)
                        .header("Content-Type", "application/json")
                        .sendString(Mono.just(json))
                        .then()));
    }

    /** The requests since the scene was set, as "GET /path?query". */
    public List<String> asked() {
        return asked;
    }
}
