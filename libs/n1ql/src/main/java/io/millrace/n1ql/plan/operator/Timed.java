package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how many rows an operator returns in a run, and how long it takes without the measured operators below it.
 * Plans have it only when a request asks for a profile.
 */
public final class Timed implements Operator {

    private final Operator input;

    public Timed(Operator input) {
        this.input = input;
    }

    public Operator input() {
        return input;
    }

    /** Returns the operator itself if it is measured. */
    public static Operator behind(Operator operator) {
        return operator instanceof Timed timed ? timed.input : operator;
    }

    /** What an operator did in a run. */
    private static final class Figures {
        private long opened;
        private long rows;
        private long nanos;
    }

    /** Divides the time of a run between operators: that on top is running. */
    private static final class Watch {

        private final Deque<Figures> running = new ArrayDeque<>();
        private long since;

        void begin(Figures figures) {
            charge();
            running.push(figures);
        }

        void end() {
            charge();
            running.pop();
        }

        private void charge() {
            long now = System.nanoTime();
            Figures top = running.peek();
            if (top != null) {
                top.nanos += now - since;
            }
            since = now;
        }
    }

    private Figures figures(Execution execution) {
        return (Figures) execution.memo(this, known -> known == null ? new Figures() : known);
    }

    private static Watch watch(Execution execution) {
        return (Watch) execution.memo(Watch.class, known -> known == null ? new Watch() : known);
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        Figures figures = figures(row.execution());
        Watch watch = watch(row.execution());
        watch.begin(figures);
        figures.opened++;
        try {
            return new Rows(input.open(row), figures, watch);
        } finally {
            watch.end();
        }
    }

    private static final class Rows extends ForwardingCursor<Frame> {

        private final Figures figures;
        private final Watch watch;

        Rows(Cursor<Frame> rows, Figures figures, Watch watch) {
            super(rows);
            this.figures = figures;
            this.watch = watch;
        }

        @Override
        public @Nullable Frame next() {
            watch.begin(figures);
            try {
                Frame next = super.next();
                figures.rows += next == null ? 0 : 1;
                return next;
            } finally {
                watch.end();
            }
        }
    }

    @Override
    public double reads(Frame row) {
        return input.reads(row);
    }

    @Override
    public double rowCount(Frame row) {
        return input.rowCount(row);
    }

    @Override
    public Explanation explain(Frame row) {
        Figures figures = figures(row.execution());
        Map<String, Value> shown = new LinkedHashMap<>();
        shown.put("#itemsOut", Value.of(figures.rows));
        shown.put("#opened", Value.of(figures.opened));
        shown.put("execTime", Value.of(SystemTables.millis(Duration.ofNanos(figures.nanos))));
        return input.explain(row).with("#stats", ObjectValue.of(shown));
    }
}
