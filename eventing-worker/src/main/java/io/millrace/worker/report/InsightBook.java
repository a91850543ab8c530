package io.millrace.worker.report;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What happened on the lines of each version of the code since the last report. Thread-safe. */
public final class InsightBook {

    /** The longest message or log line that is kept of a line of code, in characters. */
    static final int TEXT_CHARS = 1024;

    private final boolean wanted;
    private final Map<Long, Map<Integer, LineInsight>> versions = new HashMap<>();

    /** @param wanted whether to collect anything */
    public InsightBook(boolean wanted) {
        this.wanted = wanted;
    }

    public boolean wanted() {
        return wanted;
    }

    /**
     * Takes calls from a line.
     *
     * @param version the number of the version that ran
     * @param trace the id of the trace that the invocation belongs to, "" for none
     */
    public void called(long version, int line, int times, long micros, String logged, String trace) {
        add(version, new LineInsight(line, times, micros, 0, "", cut(logged), trace));
    }

    /** Takes the line of an invocation that failed; {@code version} and {@code trace} as above. */
    public void ended(long version, Outcome outcome, String trace) {
        if (!outcome.ok() && outcome.line() > 0) {
            add(version, new LineInsight(outcome.line(), 0, 0, 1, cut(outcome.message()), "", trace));
        }
    }

    private static String cut(String text) {
        return text.length() <= TEXT_CHARS ? text : text.substring(0, TEXT_CHARS);
    }

    private synchronized void add(long version, LineInsight seen) {
        if (wanted) {
            versions.computeIfAbsent(version, unseen -> new HashMap<>()).merge(seen.line(), seen, LineInsight::plus);
        }
    }

    /** Returns what was collected since the last call, by version. */
    synchronized List<Frame.Insight> take() {
        List<Frame.Insight> taken = versions.entrySet().stream()
                .map(version -> new Frame.Insight(
                        version.getKey(), List.copyOf(version.getValue().values())))
                .toList();
        versions.clear();
        return taken;
    }
}
