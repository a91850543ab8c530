package io.millrace.handler;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A host with a small query service: {@code SELECT n} has n rows, {@code SELECT n bad} fails behind them, {@code FAIL}
 * fails, everything else has no rows. Its language is what begins with a verb and has no word BAD.
 */
class MemoryQueries extends MemoryHost {

    private static final Pattern STATEMENT =
            Pattern.compile("(?is)(SELECT|UPDATE|DELETE|INSERT|UPSERT|MERGE)\\s(?!.*\\bBAD\\b).*");
    private static final Pattern ROWS = Pattern.compile("(?s)SELECT (\\d+)(.*)");
    private static final Pattern PARAMETER = Pattern.compile("[$:](\\w+)");

    final List<QueryCall> queries = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    int open;

    static QueryLanguage.Reading read(String text) {
        Matcher bad = Pattern.compile("(?i)\\bBAD\\b").matcher(text);
        if (!STATEMENT.matcher(text).matches()) {
            int at = bad.find() ? bad.start() : 0;
            int line =
                    (int) text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
            return new QueryLanguage.Unreadable(
                    "N1QL syntax error at: BAD", line, at - text.lastIndexOf('\n', at) - 1 + 1);
        }
        Set<String> parameters = new java.util.LinkedHashSet<>();
        Matcher parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            parameters.add(parameter.group(1));
        }
        return new QueryLanguage.Statement(
                parameters, text.toUpperCase(java.util.Locale.ROOT).startsWith("SELECT"));
    }

    @Override
    public int queryCursors() {
        return 3;
    }

    @Override
    public QueryRows query(QueryCall call) throws HostFailure {
        queries.add(call);
        if (call.statement().startsWith("FAIL")) {
            throw HostFailure.queryError(call.service(), "Query error : {}");
        }
        Matcher rows = ROWS.matcher(call.statement());
        int count = rows.matches() ? Integer.parseInt(rows.group(1)) : 0;
        boolean fails = rows.matches() && rows.group(2).contains("breaks");
        open++;
        return new Numbers(call, IntStream.range(0, count).iterator(), count == 0, fails);
    }

    private final class Numbers implements QueryRows {
        private final QueryCall call;
        private final Iterator<Integer> left;
        private final boolean empty;
        private final boolean fails;
        private boolean isClosed;

        private Numbers(QueryCall call, Iterator<Integer> left, boolean empty, boolean fails) {
            this.call = call;
            this.left = left;
            this.empty = empty;
            this.fails = fails;
        }

        @Override
        public byte @Nullable [] next() throws HostFailure {
            if (isClosed) {
                throw new IllegalStateException("closed");
            }
            if (left.hasNext()) {
                return ("{\"n\":" + left.next() + "}").getBytes(StandardCharsets.UTF_8);
            }
            if (fails) {
                throw HostFailure.queryError(call.service(), "broke");
            }
            return null;
        }

        @Override
        public boolean isEmpty() {
            return empty;
        }

        @Override
        public void close() {
            if (isClosed) {
                throw new IllegalStateException("closed twice");
            }
            isClosed = true;
            open--;
            closed.add(call.statement());
        }
    }
}
