package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Two handlers fill the heap of this process: one with what it keeps, the other, which allocates more, with garbage. Prints which
 * of them is asked to end.
 */
final class KeepingRun {

    private static final int MOST_CALLS = 4_000;

    private KeepingRun() {}

    public static void main(String[] arguments) {
        try (var engine = HandlerEngine.start(stuck -> System.out.println("stuck " + stuck))) {
            System.out.println("runtime " + engine.runtime().describe());
            var told = new CompletableFuture<String>();
            var busy = handler(engine, "busy", "new Array(30000).fill(7); new Array(30000).fill(8);");
            var leak = handler(
                    engine, "leak", "globalThis.kept = globalThis.kept || []; kept.push(new Array(30000).fill(7));");
            HandlerEngine.onBigStack("both", () -> {
                try (var first = busy.open(telling("busy", told));
                        var second = leak.open(telling("leak", told))) {
                    for (int call = 0; call < MOST_CALLS && !told.isDone(); call++) {
                        first.onUpdate(meta("x"), utf8("{}"), null);
                        second.onUpdate(meta("x"), utf8("{}"), null);
                    }
                    return told;
                }
            });
            System.out.println("told " + told.getNow("none"));
            System.out.println("end");
        }
    }

    private static MemoryHost telling(String name, CompletableFuture<String> told) {
        return new MemoryHost() {
            @Override
            public void keepsTooMuch(String why) {
                told.complete(name + ": " + why);
            }
        };
    }

    private static Handler handler(HandlerEngine engine, String name, String body) {
        return (Handler) engine.compile(new HandlerSpec(
                name,
                "function OnUpdate(doc) { " + body + " }",
                List.of(),
                List.of(),
                Duration.ofMinutes(2),
                64L << 20,
                false,
                LanguageCompatibility.V7_2_0,
                List.of()));
    }
}
