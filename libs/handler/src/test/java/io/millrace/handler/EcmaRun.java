package io.millrace.handler;

import static io.millrace.handler.Fixture.utf8;

import io.millrace.handler.EcmaCases.Case;
import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a part of {@link EcmaCases} so often that the engine compiles it, and prints {@code runtime}, the differences and
 * {@code end}. Started as a process of its own by {@link OptimizedRuntimeIT}.
 */
final class EcmaRun {
    /** Every so many cases; a prime, so that all operations have their chance. */
    private static final int EVERY = 47;

    /** More often than the engine's compiler waits for by default, 400 calls. */
    private static final int ROUNDS = 420;

    private EcmaRun() {}

    public static void main(String[] arguments) {
        // showing the whole document takes longest
        List<Case> all =
                EcmaCases.all().stream().filter(one -> !one.value().equals("v")).toList();
        List<Case> cases = IntStream.range(0, all.size() / EVERY)
                .mapToObj(i -> all.get(i * EVERY))
                .limit(EcmaCode.STEP)
                .toList();
        var host = new MemoryHost();
        host.put("b", "sample", EcmaCases.DOCUMENT);
        host.put("b", "expected", EcmaCode.expected(EcmaCases.DOCUMENT));
        try (var engine = HandlerEngine.start(stuck -> System.out.println("stuck " + stuck))) {
            System.out.println("runtime " + engine.runtime().describe());
            var handler = (Handler) engine.compile(new HandlerSpec(
                    "cases",
                    EcmaCode.of(cases),
                    EcmaCode.HEADERS,
                    List.of(),
                    Duration.ofMinutes(2),
                    64L << 20,
                    false,
                    LanguageCompatibility.V7_2_0,
                    List.of(new Alias("b", Access.READ_WRITE))));
            HandlerEngine.onBigStack("cases", () -> {
                try (var thread = handler.open(host)) {
                    for (int i = 0; i < ROUNDS; i++) {
                        var meta = new EventMeta("", "", "", "", 0, 0, 0, 0, 0, false);
                        var outcome = thread.onUpdate(meta, utf8("{}"), null);
                        if (!(outcome instanceof InvocationResult.Success)) {
                            System.out.println(outcome);
                        }
                    }
                }
                return "";
            });
        }
        host.lines.stream()
                .filter(line -> !line.equals("INFO \"cases\" " + cases.size()))
                .distinct()
                .forEach(System.out::println);
        System.out.println("end");
    }
}
