package io.millrace.handler;

import static io.millrace.handler.Fixture.utf8;

import io.millrace.handler.EcmaCases.Case;
import io.millrace.handler.HandlerEngine.RuntimeReport;
import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.sandbox.Sandbox;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Engine;

/**
 * Runs a part of {@link EcmaCases} in both modes so often that the engine compiles them, and prints {@code runtime}, the
 * differences, how many cases ran and were compiled, and {@code end}. Started as a process of its own by
 * {@link OptimizedRuntimeIT}.
 */
final class EcmaRun {
    /** The number of operations is odd. */
    static final int EVERY = 8;

    /** Calls after which the function of a case is compiled, before its next call. */
    private static final int CALLS = 3;

    /** Compiled code that has met something new is compiled once more. */
    private static final int ROUNDS = 2 * CALLS;

    private EcmaRun() {}

    public static void main(String[] arguments) {
        var compiled = new Compiled();
        Consumer<String> stuck = why -> System.out.println("stuck " + why);
        try (var standard = HandlerEngine.start(stuck);
                var compiling = HandlerEngine.trusting(
                        new Sandbox.Started(engine(standard.runtime(), compiled), standard.runtime()), stuck)) {
            System.out.println("runtime " + compiling.runtime().describe());
            List<Case> cases = EcmaCases.every(EVERY);
            for (boolean strict : new boolean[] {false, true}) {
                String function = strict ? "strict" : "plain";
                run(handler(standard, cases, strict, function).in(compiling), cases.size());
                System.out.println(function + " " + cases.size() + " cases, compiled " + compiled.functions(function));
            }
        }
        System.out.println("end");
    }

    /** Starts an engine that compiles a case that was called a few times, at once and by its first tier; the second costs minutes. */
    private static Engine engine(RuntimeReport runtime, Handler log) {
        Engine.Builder engine =
                Engine.newBuilder("js").allowExperimentalOptions(true).logHandler(log);
        if (runtime.optimized()) {
            engine.option("engine.Mode", "latency")
                    .option("engine.FirstTierCompilationThreshold", Integer.toString(CALLS))
                    .option("engine.BackgroundCompilation", "false")
                    .option("engine.CompileOnly", "plain,strict")
                    .option("engine.TraceCompilation", "true");
        }
        return engine.build();
    }

    private static io.millrace.handler.Handler handler(
            HandlerEngine engine, List<Case> cases, boolean strict, String function) {
        return (io.millrace.handler.Handler) engine.compile(new HandlerSpec(
                "cases",
                EcmaCode.of(cases, function),
                EcmaCode.headers(ROUNDS),
                List.of(),
                Duration.ofMinutes(2),
                64L << 20,
                strict,
                LanguageCompatibility.V7_2_0,
                List.of(new Alias("b", Access.READ_WRITE))));
    }

    private static void run(io.millrace.handler.Handler handler, int cases) {
        var host = new MemoryHost();
        host.put("b", "sample", EcmaCases.DOCUMENT);
        host.put("b", "expected", EcmaCode.expected(EcmaCases.DOCUMENT));
        HandlerEngine.onBigStack("cases", () -> {
            try (var thread = handler.open(host)) {
                for (int begin = 0; begin < cases; begin += EcmaCode.STEP) {
                    var meta = new EventMeta("", "", "", "", 0, begin, 0, 0, 0, false);
                    var outcome = thread.onUpdate(meta, utf8("{}"), null);
                    if (!(outcome instanceof InvocationResult.Success)) {
                        System.out.println(outcome);
                    }
                }
            }
            return "";
        });
        host.lines.stream()
                .filter(line -> !line.startsWith("INFO \"cases\" "))
                .distinct()
                .forEach(System.out::println);
    }

    /** The functions that were compiled, as the engine tells it. */
    private static final class Compiled extends Handler {
        private static final Pattern DONE = Pattern.compile("opt done\\s.*?\\b((?:strict|plain)\\d+)\\b");

        private final Set<String> names = new HashSet<>();

        @Override
        public synchronized void publish(LogRecord line) {
            var done = DONE.matcher(line.getMessage());
            if (done.find()) {
                names.add(done.group(1));
            }
        }

        synchronized long functions(String name) {
            return names.stream().filter(one -> one.startsWith(name)).count();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
