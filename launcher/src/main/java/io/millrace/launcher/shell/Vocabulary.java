package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The words that are completed: keywords, the keyspaces of the suite, and the fields of the rows seen so far. */
final class Vocabulary {

    /** Words that begin or join the clauses of N1QL; a name that equals one needs backticks. */
    static final List<String> KEYWORDS =
            List.of(("ALL AND ANY ARRAY AS ASC BETWEEN BUILD BY CASE COLLECTION CREATE DELETE DESC DISTINCT DROP ELSE"
                            + " END EVERY EXCEPT EXECUTE EXISTS EXPLAIN FALSE FIRST FOR FROM GROUP HAVING IF IN INDEX INNER INSERT"
                            + " INTERSECT INTO IS JOIN KEY KEYS LEFT LET LETTING LIKE LIMIT MATCHED MERGE MISSING NEST NOT NULL"
                            + " NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PREPARE PRIMARY RAW RETURNING RIGHT SATISFIES SELECT"
                            + " SET SOME THEN TRUE UNION UNNEST UNSET UPDATE UPSERT USE USING VALUE VALUED VALUES WHEN WHERE"
                            + " WINDOW WITH WITHIN")
                    .split(" "));

    private static final Set<String> RESERVED = Set.copyOf(KEYWORDS);
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");
    private static final String ALL_KEYSPACES = "SELECT k.`bucket`, k.`scope`, k.name FROM system:keyspaces k";
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_FIELDS = 2_000;

    private final QueryGateway gateway;
    private final LongSupplier nanoClock;
    private final Set<String> fields = new TreeSet<>();
    private Set<String> keyspaces = new TreeSet<>();
    private boolean fresh;
    private long read;

    Vocabulary(QueryGateway gateway, LongSupplier nanoClock) {
        this.gateway = gateway;
        this.nanoClock = nanoClock;
    }

    /** Returns the keyspaces as statements write them; the list may be some seconds old, or empty without the suite. */
    synchronized Collection<String> keyspaces() {
        if (!fresh || nanoClock.getAsLong() - read > FRESH_NANOS) {
            Set<String> found = new TreeSet<>();
            try {
                new StatementRun(gateway).run(ALL_KEYSPACES, Map.of(), row -> {
                    found.add(path(row));
                    return true;
                });
                keyspaces = found;
            } catch (LauncherException e) {
                // a statement will say that the suite cannot be reached; Tab does not
            }
            read = nanoClock.getAsLong();
            fresh = true;
        }
        return keyspaces;
    }

    /** Makes the next completion read the keyspaces again. */
    synchronized void keyspacesChanged() {
        fresh = false;
    }

    synchronized Collection<String> fields() {
        return List.copyOf(fields);
    }

    /** Remembers the fields of a row, also of objects in it. */
    synchronized void learn(JsonNode row) {
        if (fields.size() < MOST_FIELDS) {
            for (Map.Entry<String, JsonNode> field : row.properties()) {
                if (!field.getKey().startsWith("$")) {
                    fields.add(quoted(field.getKey()));
                }
                learn(field.getValue());
            }
        }
    }

    /** Returns a row of system:keyspaces as a path; a default collection has the name of its bucket. */
    static String path(JsonNode row) {
        String bucket = quoted(row.path("bucket").asString(""));
        String scope = row.path("scope").asString("");
        String collection = row.path("name").asString("");
        return scope.equals("_default") && collection.equals("_default")
                ? bucket
                : bucket + "." + quoted(scope) + "." + quoted(collection);
    }

    /** Returns a name as a statement may write it. */
    static String quoted(String name) {
        boolean plain = PLAIN_NAME.matcher(name).matches() && !RESERVED.contains(name.toUpperCase(Locale.ROOT));
        return plain ? name : "`" + name.replace("`", "``") + "`";
    }
}
