package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.plan.index.IndexWishes;
import io.millrace.n1ql.plan.index.IndexWishes.Wish;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The answer of ADVISE: which indexes a statement uses, and which ones would serve it better. */
final class IndexAdvice {

    private static final int LONGEST_NAME = 60;

    private IndexAdvice() {}

    /** @param plan the statement's plan with the indexes that exist */
    static Value of(Statement statement, Value plan, Execution execution) {
        Set<String> used = new LinkedHashSet<>();
        indexesOf(plan, used);
        List<Value> current = new ArrayList<>();
        List<Value> wanted = new ArrayList<>();
        List<Value> covering = new ArrayList<>();
        for (Wish wish : wishes(statement)) {
            List<IndexDefinition> indexes = KeyspaceRef.of(wish.term()).indexes(execution);
            indexes.stream()
                    .filter(index -> used.contains(index.name()))
                    .forEach(index -> current.add(ObjectValue.of(fields(
                            index.primary()
                                    ? "CREATE PRIMARY INDEX `%s` ON %s".formatted(index.name(), keyspace(wish))
                                    : statement(
                                            index.name(),
                                            wish,
                                            index.keys().stream()
                                                    .map(IndexDefinition.Key::text)
                                                    .toList()),
                            wish))));
            if (indexes.stream().noneMatch(index -> serves(index, wish.keys(), wish))) {
                Map<String, Value> fields = fields(statement(name(wish.keys()), wish, wish.keys()), wish);
                fields.put("recommending_rule", Value.of(wish.rule()));
                wanted.add(ObjectValue.of(fields));
            }
            boolean more = wish.covering().size() > wish.keys().size();
            if (more && indexes.stream().noneMatch(index -> serves(index, wish.covering(), wish))) {
                covering.add(ObjectValue.of(fields(statement(name(wish.covering()), wish, wish.covering()), wish)));
            }
        }
        Map<String, Value> info = new LinkedHashMap<>();
        info.put("current_indexes", ArrayValue.of(current));
        if (wanted.isEmpty() && covering.isEmpty()) {
            info.put("recommended_indexes", Value.of("No index recommendation at this time."));
        } else {
            Map<String, Value> recommended = new LinkedHashMap<>();
            if (!covering.isEmpty()) {
                recommended.put("covering_indexes", ArrayValue.of(covering));
            }
            if (!wanted.isEmpty()) {
                recommended.put("indexes", ArrayValue.of(wanted));
            }
            info.put("recommended_indexes", ObjectValue.of(recommended));
        }
        Map<String, Value> advice = new LinkedHashMap<>();
        advice.put("#operator", Value.of("IndexAdvice"));
        advice.put("adviseinfo", ObjectValue.of(info));
        return ObjectValue.of(advice);
    }

    private static List<Wish> wishes(Statement statement) {
        return switch (statement) {
            case Statement.Select select -> IndexWishes.of(select.query());
            case Statement.Update update -> IndexWishes.of(update.block(), update.from(), update.where());
            case Statement.Delete delete -> IndexWishes.of(delete.block(), delete.from(), delete.where());
            case Statement.InsertSelect insert -> IndexWishes.of(insert.query());
            case Statement.Prepare prepare -> wishes(prepare.statement());
            case Statement.Explain explain -> wishes(explain.statement());
            default -> List.of();
        };
    }

    /** Returns whether an index begins with these keys, whatever their order. */
    private static boolean serves(IndexDefinition index, List<String> keys, Wish wish) {
        if (index.primary()
                || !index.online()
                || index.where() != null
                || index.keys().size() < keys.size()) {
            return false;
        }
        Set<String> begin = index.keys().subList(0, keys.size()).stream()
                .map(key -> plain(key.text(), wish))
                .collect(Collectors.toSet());
        return keys.stream().map(key -> plain(key, wish)).allMatch(begin::contains);
    }

    /** Leaves out what two texts of the same key may differ in. */
    private static String plain(String key, Wish wish) {
        String last = wish.term().path().isEmpty() ? "" : wish.term().path().getLast();
        return key.toLowerCase(Locale.ROOT)
                .replace("distinct array", "array")
                .replaceAll("[`()\\s]", "")
                .replace(last.toLowerCase(Locale.ROOT) + ".", "");
    }

    private static Map<String, Value> fields(String statement, Wish wish) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("index_statement", Value.of(statement));
        fields.put("keyspace_alias", Value.of(wish.term().alias()));
        return fields;
    }

    private static String statement(String name, Wish wish, List<String> keys) {
        return "CREATE INDEX `%s` ON %s(%s)".formatted(name, keyspace(wish), String.join(", ", keys));
    }

    private static String keyspace(Wish wish) {
        return wish.term().path().stream()
                .map(part -> "`" + part.replace("`", "``") + "`")
                .collect(Collectors.joining("."));
    }

    private static String name(List<String> keys) {
        String name = "adv_"
                + keys.stream()
                        .map(key -> key.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_|_$", ""))
                        .collect(Collectors.joining("_"));
        return name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    private static void indexesOf(Value plan, Set<String> found) {
        switch (plan) {
            case ObjectValue object ->
                object.fields().forEach((name, value) -> {
                    if (name.equals("index") && value instanceof StringValue text) {
                        found.add(text.text());
                    }
                    indexesOf(value, found);
                });
            case ArrayValue array -> array.items().forEach(item -> indexesOf(item, found));
            default -> {}
        }
    }
}
