package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What the engine shows of itself under {@code system:}. */
public interface SystemTables {

    record Entry(String key, Value value) {}

    /** Returns the rows of a table; throws keyspace-not-found when there is none of this name. */
    List<Entry> rows(String name, Execution execution);

    /** Returns a time as the original shows it, in milliseconds. */
    static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.3fms", time.toNanos() / 1e6);
    }

    /** Deletes a row; false when the table does not let go of any. */
    boolean delete(String name, String key);
}
