package io.millrace.n1ql.keyspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes random documents, and random queries over them. */
final class RandomQueries {

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "1.0",
            "1.10",
            "-3",
            "2.5",
            "-0.0",
            "7e2",
            "9007199254740993",
            "9007199254740992",
            "-9223372036854775808",
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"b%\"",
            "\"\\u0000z\"",
            "\"\uD83D\uDE00\"",
            "\"\uFFFD\"",
            "[]",
            "[1,\"a\"]",
            "[1,null]",
            "[2]",
            "{}",
            "{\"x\":1}",
            "{\"y\":1,\"x\":2}",
            "{\"x\":null}");

    private final Random random;

    RandomQueries(Random random) {
        this.random = random;
    }

    /** Returns whether the rows of a query are each made of several rows with equal values. */
    static boolean combinesRows(String query) {
        return query.startsWith("SELECT DISTINCT")
                || query.contains(" GROUP BY ")
                || query.contains(" UNION ")
                || query.contains(" INTERSECT ")
                || query.contains(" EXCEPT ");
    }

    private String value() {
        return VALUES.get(random.nextInt(VALUES.size()));
    }

    String document() {
        List<String> fields = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            if (random.nextInt(5) > 0) {
                fields.add("\"" + name + "\":" + value());
            }
        }
        if (random.nextInt(3) > 0) {
            fields.add("\"c\":" + (random.nextInt(4) == 0 ? value() : "{\"d\":" + value() + ",\"e\":1}"));
        }
        if (random.nextInt(2) == 0) {
            fields.add("\"arr\":["
                    + IntStream.range(0, random.nextInt(4))
                            .mapToObj(i -> value())
                            .collect(Collectors.joining(","))
                    + "]");
        }
        return "{" + String.join(",", fields) + "}";
    }

    /** Returns the next query. */
    String next() {
        List<String> conditions = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            conditions.add(condition());
        }
        String where = " WHERE " + String.join(" AND ", conditions);
        String order = random.nextBoolean() ? "" : " ORDER BY " + order();
        String page = order.isEmpty() || random.nextBoolean()
                ? ""
                : " LIMIT " + random.nextInt(9) + " OFFSET " + random.nextInt(4);
        if (random.nextInt(8) == 0) {
            return "SELECT COUNT(*) AS n, COUNT(1) AS m FROM t" + where;
        }
        if (random.nextInt(6) == 0) {
            return combined(where);
        }
        if (random.nextInt(8) == 0) {
            return "SELECT META(t).id, v FROM t UNNEST t.arr v" + where + " AND v "
                    + List.of("=", "<", "!=").get(random.nextInt(3)) + " " + value();
        }
        String projection = List.of(
                        "META(t).id, t.a, t.b",
                        "META(t).id, t.a",
                        "META(t).id, t.c.d, t.a",
                        "META(t).id, t.*",
                        "META(t).id, LOWER(t.b) AS l",
                        "META(t).id, t.a > 0 AS p, t.b",
                        "META(t).id, x")
                .get(random.nextInt(7));
        String let = projection.endsWith("x") ? " LET x = t.a" : "";
        return "SELECT " + projection + " FROM t" + let + where + order + page;
    }

    /** A query whose rows are made of several rows. */
    private String combined(String where) {
        String key = one("t.a", "t.b", "t.c.d", "LOWER(t.b)");
        String other = one("t.a", "t.b", "t.c.d");
        return switch (random.nextInt(6)) {
            case 0 -> "SELECT DISTINCT RAW " + key + " FROM t" + where;
            case 1 -> "SELECT DISTINCT " + key + " AS k, " + other + " AS l FROM t" + where + " ORDER BY k, l" + page();
            case 2 ->
                "SELECT RAW " + key + " FROM t" + where + one(" UNION", " INTERSECT", " EXCEPT") + " SELECT RAW "
                        + other + " FROM t WHERE " + condition();
            case 3 ->
                "SELECT " + key + " AS k, COUNT(*) AS n FROM t" + where + " GROUP BY " + key + having()
                        + one("", " ORDER BY k" + page());
            case 4 ->
                "SELECT " + key + " AS k, " + other + " AS l, " + aggregates() + " FROM t" + where + " GROUP BY " + key
                        + ", " + other + having();
            default -> "SELECT x, " + aggregates() + " FROM t LET x = " + key + where + " GROUP BY x" + having();
        };
    }

    private String aggregates() {
        String value = one("t.a", "t.b", "t.c.d");
        return "COUNT(" + value + ") AS c, COUNT(DISTINCT " + value + ") AS d, MIN(" + value + ") AS least, MAX("
                + value + ") AS most, ARRAY_AGG(META(t).id) AS ids, MIN(META(t).id) AS id";
    }

    private String having() {
        return one("", "", " HAVING COUNT(*) > 1");
    }

    private String page() {
        return one("", " LIMIT " + random.nextInt(9) + " OFFSET " + random.nextInt(4));
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String order() {
        String last = random.nextBoolean() ? "" : " DESC";
        return List.of("t.a", "t.a" + last + ", t.b", "t.b", "t.c.d", "t.c.d DESC, t.a")
                        .get(random.nextInt(5))
                + last + ", META(t).id" + (random.nextInt(4) == 0 ? " DESC" : "");
    }

    private String condition() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> "(" + comparison() + " OR " + comparison() + ")";
            case 2 -> "NOT (" + comparison() + ")";
            case 3 -> "(" + comparison() + " AND " + comparison() + " OR " + comparison() + ")";
            default -> comparison();
        };
    }

    /** A condition of a subquery. */
    private String inner() {
        return one("t.b = 'a'", "t.a > 0", "t.b = " + value(), "t.a >= " + value(), "t.c.d < " + value());
    }

    private String comparison() {
        String field = List.of("t.a", "t.a", "t.b", "t.c.d", "LOWER(t.b)", "META(t).id")
                .get(random.nextInt(6));
        return switch (random.nextInt(19)) {
            case 0, 1 -> field + " = " + value();
            case 2 -> field + " > " + value();
            case 3 -> field + " >= " + value();
            case 4 -> field + " < " + value();
            case 5 -> value() + " <= " + field;
            case 6 -> field + " BETWEEN " + value() + " AND " + value();
            case 7 -> field + " IN [" + value() + ", " + value() + ", " + value() + "]";
            case 8 ->
                field + " LIKE " + List.of("'a%'", "'b\\\\%'", "'%'", "'a_'").get(random.nextInt(4));
            case 9 ->
                field
                        + List.of(" IS NULL", " IS NOT NULL", " IS NOT MISSING", " IS VALUED", " IS MISSING")
                                .get(random.nextInt(5));
            case 10 -> "t.a > 0";
            case 11 -> field + " != " + value();
            case 12 -> field + " NOT IN [" + value() + ", " + value() + "]";
            case 13 -> "t.b = 'a'";
            case 14 ->
                "ANY w IN t.arr SATISFIES w.x = 1 AND w.y " + List.of("=", ">").get(random.nextInt(2)) + " " + value()
                        + " END";
            case 15 ->
                "ANY w IN t.arr SATISFIES w " + List.of("=", "<", ">=").get(random.nextInt(3)) + " " + value() + " END";
            case 16 ->
                field + one(" IN ", " NOT IN ") + "(SELECT RAW " + one("t.a", "t.b", "t.c.d") + " FROM t WHERE "
                        + inner() + ")";
            case 17 ->
                field + one(" = ", " > ", " <= ") + "(SELECT RAW "
                        + one("MAX(META(t).id)", "COUNT(*)", "MIN(LOWER(t.b))") + " FROM t WHERE " + inner() + ")[0]";
            default -> value() + " IN t.arr";
        };
    }
}
