package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;

import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.NoHost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sets off every bomb in one process with a small heap and prints a line for each: {@code runtime}, {@code bomb} or
 * {@code after}. Started as a process of its own by {@link OptimizedRuntimeIT}.
 */
final class BombRun {
    private static final int WARM_INVOCATIONS = 20_000;

    /** Those that differ in how they come back to the code while the stack ends; compiled, each takes many seconds. */
    static final Set<String> DEEP_WHEN_COMPILED = Set.of("toJSON", "nested in view", "read");

    private BombRun() {}

    public static void main(String[] arguments) {
        try (var engine = HandlerEngine.start(stuck -> System.out.println("stuck " + stuck))) {
            System.out.println("runtime " + engine.runtime().describe());
            // a stack overflow alone takes many seconds on a busy machine
            run(engine, Duration.ofSeconds(120), thread -> {
                // cold first, where a stack overflow once broke the engine for good, then compiled
                setOff(thread, Bombs.DEEP, Bombs.DEEP.keySet());
                for (int i = 0; i < WARM_INVOCATIONS; i++) {
                    thread.onUpdate(meta("fine"), utf8(Bombs.DOCUMENT), null);
                }
                setOff(thread, Bombs.DEEP, DEEP_WHEN_COMPILED);
                setOff(thread, Bombs.GREEDY, Bombs.GREEDY.keySet());
            });
            run(
                    engine,
                    Duration.ofSeconds(1),
                    thread -> setOff(
                            thread, Bombs.ENDLESS, Set.of("while", "catch", "regex", "toJSON in view", "document")));
            System.out.println("end");
        }
    }

    private static void run(HandlerEngine engine, Duration timeout, Consumer<HandlerThread> body) {
        var handler = (Handler) engine.compile(new HandlerSpec(
                "bombs",
                Bombs.code(),
                List.of("'use strict';"),
                List.of(),
                timeout,
                64L << 20,
                false,
                LanguageCompatibility.V7_2_0,
                List.of(new Alias("b", Access.READ_WRITE))));
        HandlerEngine.onBigStack("bombs", () -> {
            try (var thread = handler.open(new NoHost())) {
                body.accept(thread);
            }
            return "";
        });
    }

    private static void setOff(HandlerThread thread, Map<String, String> bombs, Set<String> names) {
        for (var name : names) {
            String key = Bombs.key(bombs, name);
            print("bomb", key, thread.onUpdate(meta(key), utf8(Bombs.DOCUMENT), null));
            print("after", key, thread.onUpdate(meta("fine"), utf8(Bombs.DOCUMENT), null));
        }
    }

    private static void print(String what, String key, InvocationResult outcome) {
        System.out.println(what + " " + key + ": " + outcome.getClass().getSimpleName() + " " + outcome.micros());
    }
}
