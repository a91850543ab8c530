package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A worker in this process runs code that a client of the DevTools protocol follows. */
class DebuggingIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CODE = """
        function OnUpdate(doc: any, meta: EventMeta): void {
          let total: number = doc.n + 1;
          total = total * 2;
          target[meta.id] = {total} as any;
        }
        """;

    private int requests;

    @Test
    void client_stopsTheCodeAndChangesAVariable() throws Exception {
        RedisFixture.flush();
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");
                LinkServer server = LinkServer.listen()) {
            store.documents().catalog().createBucket("target", 2).join();
            Thread worker = Thread.ofPlatform().start(() -> serve(server));
            Link link = server.accept(PATIENCE);
            assertThat(link.receive()).containsInstanceOf(Frame.Hello.class);
            link.send(new Frame.Debug(setup(), "{}".getBytes(UTF_8), Samples.update("a", 1, "{\"n\":5}")));
            assertThat(link.receive()).containsInstanceOf(Frame.Debugging.class);

            request(link, "Debugger.enable", "{}");
            request(link, "Runtime.runIfWaitingForDebugger", "{}");
            assertThat(event(link, "Debugger.scriptParsed").path("url").asString())
                    .contains("f");
            event(link, "Debugger.paused");
            request(link, "Debugger.setBreakpointByUrl", "{\"urlRegex\": \".*f$\", \"lineNumber\": 2}");
            request(link, "Debugger.resume", "{}");
            JsonNode paused = event(link, "Debugger.paused");

            assertThat(paused.at("/callFrames/0/location/lineNumber").asInt()).isEqualTo(2);
            String frame = paused.at("/callFrames/0/callFrameId").asString();
            request(
                    link,
                    "Debugger.evaluateOnCallFrame",
                    "{\"callFrameId\": \"%s\", \"expression\": \"total + doc.n\"}".formatted(frame));
            assertThat(next(link, "result").at("/result/result/value").asInt()).isEqualTo(11);
            String reach = "[typeof Java, typeof Polyglot, typeof load, typeof process].join()";
            request(
                    link,
                    "Debugger.evaluateOnCallFrame",
                    "{\"callFrameId\": \"%s\", \"expression\": \"%s\"}".formatted(frame, reach));
            assertThat(next(link, "result").at("/result/result/value").asString())
                    .isEqualTo("undefined,undefined,undefined,undefined");
            request(
                    link,
                    "Debugger.setVariableValue",
                    "{\"callFrameId\": \"%s\", \"scopeNumber\": 0, \"variableName\": \"total\", \"newValue\": {\"value\": 50}}"
                            .formatted(frame));
            request(link, "Debugger.resume", "{}");

            JsonNode invocation = tried(link);
            assertThat(invocation.path("result").asString()).isEqualTo("success");
            assertThat(invocation.at("/effects/0/after")).hasToString("{\"total\":100}");
            link.close();
            worker.join(PATIENCE);
        }
    }

    @Test
    void client_stopsInALibrary() throws Exception {
        RedisFixture.flush();
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");
                LinkServer server = LinkServer.listen()) {
            store.documents().catalog().createBucket("target", 2).join();
            Thread worker = Thread.ofPlatform().start(() -> serve(server));
            Link link = server.accept(PATIENCE);
            assertThat(link.receive()).containsInstanceOf(Frame.Hello.class);
            WorkerSetup setup = setup(new WorkerSetup.Source(
                    "import {twice} from 'math@1';\nfunction OnUpdate(doc, meta) { target[meta.id] = {n: twice(doc.n)}; }",
                    List.of("'use strict';"),
                    List.of(),
                    "7.2.0",
                    false,
                    false,
                    0,
                    List.of(new WorkerSetup.Library("math@1", "export function twice(n) {\n  return 2 * n;\n}"))));
            link.send(new Frame.Debug(setup, "{}".getBytes(UTF_8), Samples.update("a", 1, "{\"n\":5}")));
            assertThat(link.receive()).containsInstanceOf(Frame.Debugging.class);

            request(link, "Debugger.enable", "{}");
            request(link, "Runtime.runIfWaitingForDebugger", "{}");
            event(link, "Debugger.paused");
            request(link, "Debugger.setBreakpointByUrl", "{\"urlRegex\": \".*math@1$\", \"lineNumber\": 1}");
            request(link, "Debugger.resume", "{}");
            JsonNode paused = event(link, "Debugger.paused");

            assertThat(paused.at("/callFrames/0/functionName").asString()).isEqualTo("twice");
            assertThat(paused.at("/callFrames/0/location/lineNumber").asInt()).isEqualTo(1);
            request(link, "Debugger.resume", "{}");
            assertThat(tried(link).at("/effects/0/after")).hasToString("{\"n\":10}");
            link.close();
            worker.join(PATIENCE);
        }
    }

    private void request(Link link, String method, String parameters) throws IOException {
        link.send(new Frame.DebugMessage(
                "{\"id\": %d, \"method\": \"%s\", \"params\": %s}".formatted(++requests, method, parameters)));
    }

    private static JsonNode event(Link link, String method) throws IOException {
        while (true) {
            JsonNode message = next(link, "method");
            if (message.path("method").asString().equals(method)) {
                return message.path("params");
            }
        }
    }

    /** Returns the next message with a member; an empty result answers a command. */
    private static JsonNode next(Link link, String member) throws IOException {
        while (true) {
            Frame frame = link.receive().orElseThrow();
            assertThat(frame).isInstanceOf(Frame.DebugMessage.class);
            JsonNode message = JsonMapper.shared().readTree(((Frame.DebugMessage) frame).text());
            if (message.has(member)
                    && (!member.equals("result") || message.at("/result/result").isObject())) {
                return message;
            }
        }
    }

    private static JsonNode tried(Link link) throws IOException {
        while (true) {
            Frame frame = link.receive().orElseThrow();
            if (frame instanceof Frame.Tried tried) {
                return JsonMapper.shared().readTree(tried.invocation());
            }
        }
    }

    private static WorkerSetup setup() {
        return setup(new WorkerSetup.Source(CODE, List.of("'use strict';"), List.of(), "7.2.0", false, true, 0));
    }

    private static WorkerSetup setup(WorkerSetup.Source source) {
        WorkerSetup sample = Samples.setup(1);
        return new WorkerSetup(
                "f",
                "instance1",
                source,
                new WorkerSetup.Limits(1, PATIENCE.toMillis(), 64 << 20),
                "INFO",
                "source",
                RedisFixture.url(),
                sample.aliases());
    }

    private static void serve(LinkServer server) {
        ProcessResources process = ProcessResources.start(1L << 30, "test", why -> {});
        try {
            Link own = Link.connect(server.socket());
            new Worker("w1", own, process, (why, message, cause) -> {
                        own.close(); // ends the waiting of the test
                        throw new AssertionError(message, cause);
                    })
                    .serve("in this process");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
