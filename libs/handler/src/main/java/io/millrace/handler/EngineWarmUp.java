package io.millrace.handler;

import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.NoHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Runs built-in code before any user code. A stack overflow that hits the static initializer of a class leaves that
 * class broken for the rest of the process, so every class that an invocation uses has to be initialized before user
 * code can overflow the stack.
 */
final class EngineWarmUp {
    private static final byte[] DOCUMENT = """
        {"text": "ab", "rich": "\\u00e4\\n\\"", "list": [1, 2.5, {"deep": [null, true, false]}],
         "7": 1e3, "nested": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9}}\
        """.getBytes(StandardCharsets.UTF_8);
    private static final int ROUNDS = 3;

    private EngineWarmUp() {}

    static void run(HandlerEngine engine) {
        for (boolean strict : new boolean[] {false, true}) {
            var compilation = engine.compiled(spec(strict), new NoHost());
            if (!(compilation instanceof Handler handler)) {
                throw new IllegalStateException("the warm-up script was rejected: " + compilation);
            }
            try (var thread = handler.open(new NoHost())) {
                for (int i = 0; i < ROUNDS; i++) {
                    expect(thread.onUpdate(meta("fine", false), DOCUMENT, DOCUMENT), InvocationResult.Success.class);
                    expect(thread.onUpdate(meta("throw", false), DOCUMENT, null), InvocationResult.Threw.class);
                    expect(thread.onUpdate(meta("fine", true), DOCUMENT, null), InvocationResult.Success.class);
                    expect(thread.onUpdate(meta("bad", false), new byte[] {'{'}, null), InvocationResult.Threw.class);
                    expect(thread.onDelete(meta("fine", false), true), InvocationResult.Success.class);
                }
            }
        }
    }

    private static void expect(InvocationResult outcome, Class<? extends InvocationResult> kind) {
        if (!kind.isInstance(outcome)) {
            throw new IllegalStateException("the warm-up script ended with " + outcome);
        }
    }

    private static EventMeta meta(String id, boolean binary) {
        return new EventMeta("b", "s", "c", id, 1, 2, 3, 4, 5, binary);
    }

    private static HandlerSpec spec(boolean strict) {
        return new HandlerSpec(
                "warm-up",
                script(),
                List.of("'use strict';"),
                List.of(),
                Duration.ofMinutes(1),
                1L << 30,
                strict,
                LanguageCompatibility.V7_2_0,
                List.of(new Alias("bucket", Access.READ_WRITE), new Alias("source", Access.READ)));
    }

    private static String script() {
        try (var in = Objects.requireNonNull(EngineWarmUp.class.getResourceAsStream("warmup.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
