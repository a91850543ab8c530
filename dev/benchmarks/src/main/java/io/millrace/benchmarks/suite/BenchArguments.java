package io.millrace.benchmarks.suite;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments behind the name of a benchmark: {@code short}, and {@code --jfr FILE}.
 *
 * @param shortRun whether the run is to take less time
 * @param recording where flight recordings are kept, null for none
 */
public record BenchArguments(boolean shortRun, @Nullable Path recording) {

    /** Reads arguments in any order; throws {@link IllegalArgumentException} for others. */
    public static BenchArguments of(List<String> args) {
        boolean shortRun = false;
        Path recording = null;
        for (Iterator<String> all = args.iterator(); all.hasNext(); ) {
            String arg = all.next();
            if (arg.equals("short")) {
                shortRun = true;
            } else if (arg.equals("--jfr") && all.hasNext()) {
                recording = Path.of(all.next());
            } else {
                throw new IllegalArgumentException("Unknown argument '" + arg + "'; expected 'short' or '--jfr FILE'.");
            }
        }
        return new BenchArguments(shortRun, recording);
    }
}
