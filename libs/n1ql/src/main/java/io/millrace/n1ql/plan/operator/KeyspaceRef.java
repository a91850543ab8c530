package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Suggestion;
import io.millrace.n1ql.value.StringValue;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A keyspace as a statement names it: by a path, or by a parameter whose value is a path. */
public record KeyspaceRef(List<String> path, Expr.@Nullable Param parameter) {

    public static KeyspaceRef of(Query.KeyspaceTerm term) {
        return new KeyspaceRef(term.path(), term.parameter());
    }

    /** Returns whether a path names a table of the system, such as {@code system:indexes}. */
    public static boolean isSystem(List<String> path) {
        return !path.isEmpty() && path.getFirst().startsWith("system:");
    }

    /**
     * Throws a {@link QueryException} when the run may not do this with the keyspace, whether or not it exists. A parameter that
     * names none needs nothing.
     */
    public void require(Execution execution, Need need) {
        if (parameter != null && !(execution.parameter(parameter.name()) instanceof StringValue)) {
            return;
        }
        KeyspaceName name = name(execution);
        if (name != null) {
            execution.require(need, name);
        }
    }

    /**
     * Returns the keyspace; throws a {@link QueryException} when the run may not use it so, or when it does not exist.
     *
     * @param first what the statement does with it; the needs are checked in their order
     */
    public Keyspace open(Execution execution, Need first, Need... more) {
        return find(execution, name -> {
            execution.require(first, name);
            for (Need need : more) {
                execution.require(need, name);
            }
        });
    }

    /** Returns the indexes of the keyspace, which plans are made with; rights are checked when it is opened. */
    public List<IndexDefinition> indexes(Execution execution) {
        return find(execution, name -> {}).indexes();
    }

    private Keyspace find(Execution execution, Consumer<KeyspaceName> check) {
        KeyspaceName name = name(execution);
        if (name != null) {
            check.accept(name);
        }
        Keyspace keyspace = name == null ? null : execution.store().keyspace(name);
        if (keyspace == null) {
            throw QueryException.keyspaceNotFound(
                    name == null ? String.join(".", names(execution)) : name + like(name, execution));
        }
        return keyspace;
    }

    private @Nullable KeyspaceName name(Execution execution) {
        return KeyspaceName.of(names(execution), execution.queryContext());
    }

    private List<String> names(Execution execution) {
        if (parameter == null) {
            return path;
        }
        if (execution.parameter(parameter.name()) instanceof StringValue text) {
            return parse(text.text());
        }
        throw QueryException.keyspaceNotFound("$" + parameter.name());
    }

    /** Returns advice for the end of a message: a keyspace that the user may see, and whose name is like this one. */
    private static String like(KeyspaceName name, Execution execution) {
        List<String> known = execution.store().names().stream()
                .filter(execution.rights()::shows)
                .map(KeyspaceName::toString)
                .toList();
        return Suggestion.didYouMean(name.toString(), known);
    }

    /** Parses the value of a parameter: a path, with or without backticks; a name with dots needs them. */
    private static List<String> parse(String text) {
        String path = text.startsWith("default:") ? text.substring("default:".length()) : text;
        if (path.startsWith("`")) {
            return Arrays.stream(path.split("`\\.`|`\\.|\\.`"))
                    .map(name -> name.replace("`", ""))
                    .toList();
        }
        return Arrays.asList(path.split("\\.", -1)).size() == 3 ? Arrays.asList(path.split("\\.", -1)) : List.of(path);
    }

    @Override
    public String toString() {
        return parameter == null ? String.join(".", path) : "$" + parameter.name();
    }
}
