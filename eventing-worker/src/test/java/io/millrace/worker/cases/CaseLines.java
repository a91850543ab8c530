package io.millrace.worker.cases;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.handler.HandlerEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the program prints for the cases of a function, in tests. */
final class CaseLines {

    private CaseLines() {}

    /** Runs the program on a directory and returns its lines. */
    static List<JsonNode> of(HandlerEngine engine, FunctionDirectory directory) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main program = new Main(engine, new PrintStream(out, true, StandardCharsets.UTF_8), (why, message, cause) -> {
            throw new AssertionError(message, cause);
        });
        CompletableFuture<Void> done = new CompletableFuture<>();
        HandlerEngine.newThread("cases", () -> {
                    try {
                        program.function(directory, JsonNodeFactory.instance.missingNode());
                        done.complete(null);
                    } catch (RuntimeException | Error e) {
                        done.completeExceptionally(e);
                    }
                })
                .start();
        done.join();
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(JsonMapper.shared()::readTree)
                .map(JsonNode.class::cast)
                .toList();
    }
}
