package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Statement;
import java.util.List;

/** CREATE and DROP FUNCTION. */
final class FunctionStatements {

    private FunctionStatements() {}

    static StatementPlan plan(Statement.CreateFunction create) {
        String path = String.join(".", create.path());
        return StatementPlanner.change(StatementPlanner.explanation("CreateFunction", path, null), execution -> {
            FunctionDefinition definition = new FunctionDefinition(
                    name(create.path(), create.place(), execution),
                    create.language(),
                    create.parameters(),
                    create.variadic(),
                    create.body());
            execution.functions().check(definition);
            boolean made = execution.store().functions().put(definition, create.replace());
            if (!made && !create.ifNotExists()) {
                throw QueryException.of(
                        ErrorCode.FUNCTION_EXISTS,
                        "Function '%s' already exists; CREATE OR REPLACE FUNCTION replaces it."
                                .formatted(definition.name()));
            }
            return List.of();
        });
    }

    static StatementPlan plan(Statement.DropFunction drop) {
        String path = String.join(".", drop.path());
        return StatementPlanner.change(StatementPlanner.explanation("DropFunction", path, null), execution -> {
            FunctionDefinition.Name name = name(drop.path(), drop.place(), execution);
            if (!execution.store().functions().drop(name) && !drop.ifExists()) {
                throw QueryException.of(
                        ErrorCode.FUNCTION_NOT_FOUND,
                        "Function not found '%s'; IF EXISTS accepts that.".formatted(name));
            }
            return List.of();
        });
    }

    private static FunctionDefinition.Name name(List<String> path, Place place, Execution execution) {
        FunctionDefinition.Name name = FunctionDefinition.Name.of(path, execution.queryContext());
        if (name == null) {
            throw place.error(
                    ErrorCode.FUNCTION_NAME,
                    "Invalid function name '%s': it is one name, or bucket.scope.name"
                            .formatted(String.join(".", path)));
        }
        if (!execution.rights().managesFunction(name)) {
            throw QueryException.functionNotAllowed(name.toString(), name.bucket() == null, execution.rights());
        }
        return name;
    }
}
