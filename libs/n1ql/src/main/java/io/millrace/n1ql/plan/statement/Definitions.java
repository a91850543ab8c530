package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** EXTRACTDDL: the statements that create the buckets that the user may see, and what is in them except documents. */
public final class Definitions {

    /** What is listed; a number as flags has the bits of these, in their order. */
    private enum Kind {
        BUCKET,
        SCOPE,
        COLLECTION,
        INDEX,
        SEQUENCE
    }

    private final Execution execution;
    private final Set<Kind> kinds;
    private final List<String> statements = new ArrayList<>();

    private Definitions(Execution execution, Set<Kind> kinds) {
        this.execution = execution;
        this.kinds = kinds;
    }

    /** @param args a pattern for LIKE that the bucket has, and an object whose {@code flags} say what is listed */
    public static Value of(Value[] args, Execution execution) {
        boolean all = args.length == 0 || args[0].isNull();
        boolean invalid =
                !all && !(args[0] instanceof StringValue) || args.length == 2 && !(args[1] instanceof ObjectValue);
        if (invalid) {
            return Args.unknown(args);
        }
        Value flags = args.length == 2 ? Args.option(args[1], "flags") : Value.MISSING;
        Definitions definitions = new Definitions(execution, kinds(flags));
        Set<String> buckets = Stream.concat(execution.store().names().stream(), execution.store().scopes().stream())
                .filter(execution.rights()::shows)
                .map(KeyspaceName::bucket)
                .sorted()
                .collect(Collectors.toCollection(LinkedHashSet::new));
        for (String bucket : buckets) {
            if (all || Like.matches(Value.of(bucket), args[0], Value.of("\\"), execution) == Value.TRUE) {
                definitions.bucket(bucket);
            }
        }
        return ArrayValue.ofStrings(definitions.statements);
    }

    private static Set<Kind> kinds(Value flags) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        switch (flags) {
            case NumberValue bits -> {
                for (Kind kind : Kind.values()) {
                    if ((bits.longValue() >> kind.ordinal() & 1) == 1) {
                        kinds.add(kind);
                    }
                }
            }
            case StringValue name -> kinds.add(kind(name));
            case ArrayValue names -> names.forEach(name -> kinds.add(kind(name)));
            default -> kinds.addAll(EnumSet.allOf(Kind.class));
        }
        return kinds;
    }

    private static Kind kind(Value name) {
        for (Kind kind : Kind.values()) {
            if (Value.of(kind.name().toLowerCase(Locale.ROOT)).equals(name)) {
                return kind;
            }
        }
        throw QueryException.evaluation("EXTRACTDDL has no flag " + name
                + "; flags are \"bucket\", \"scope\", \"collection\", \"index\" and \"sequence\"");
    }

    private void bucket(String bucket) {
        add(Kind.BUCKET, "CREATE BUCKET " + path(bucket));
        for (KeyspaceName scope : visible(execution.store().scopes(), bucket)) {
            if (!scope.scope().equals(KeyspaceName.DEFAULT)) {
                add(Kind.SCOPE, "CREATE SCOPE " + path(bucket, scope.scope()));
            }
        }
        List<KeyspaceName> keyspaces = visible(execution.store().names(), bucket);
        for (KeyspaceName name : keyspaces) {
            if (!name.collection().equals(KeyspaceName.DEFAULT)) {
                add(Kind.COLLECTION, "CREATE COLLECTION " + path(bucket, name.scope(), name.collection()));
            }
        }
        for (KeyspaceName name : keyspaces) {
            Keyspace keyspace = execution.store().keyspace(name);
            if (keyspace != null) {
                keyspace.indexes().stream()
                        .sorted(Comparator.comparing(IndexDefinition::name))
                        .forEach(index -> add(Kind.INDEX, index(name, index)));
            }
        }
        for (Sequence sequence : execution.store().sequences().all()) {
            if (sequence.name().bucket().equals(bucket)
                    && execution.rights().shows(sequence.name().place())) {
                add(Kind.SEQUENCE, sequence(sequence));
            }
        }
    }

    private List<KeyspaceName> visible(List<KeyspaceName> names, String bucket) {
        return names.stream()
                .filter(name ->
                        name.bucket().equals(bucket) && execution.rights().shows(name))
                .sorted(Comparator.comparing(KeyspaceName::toString))
                .toList();
    }

    private void add(Kind kind, String statement) {
        execution.step();
        if (kinds.contains(kind)) {
            statements.add(statement + ";");
        }
    }

    private static String index(KeyspaceName name, IndexDefinition index) {
        String keyspace = path(name.bucket(), name.scope(), name.collection());
        if (index.primary()) {
            return "CREATE PRIMARY INDEX " + path(index.name()) + " ON " + keyspace;
        }
        String keys = index.keys().stream()
                .map(key -> (key.each() ? "DISTINCT " : "") + key.text() + (key.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
        return "CREATE INDEX " + path(index.name()) + " ON " + keyspace + "(" + keys + ")"
                + (index.where() == null ? "" : " WHERE " + index.where());
    }

    private static String sequence(Sequence sequence) {
        return "CREATE SEQUENCE "
                + path(
                        sequence.name().bucket(),
                        sequence.name().scope(),
                        sequence.name().sequence()) + " WITH "
                + ObjectValue.of(sequence.options()).toJson();
    }

    private static String path(String... names) {
        return Stream.of(names).map(name -> "`" + name.replace("`", "``") + "`").collect(Collectors.joining("."));
    }
}
