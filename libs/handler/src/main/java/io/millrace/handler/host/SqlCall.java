package io.millrace.handler.host;

import io.millrace.handler.HandlerSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@code sql()}, with checked arguments.
 *
 * <p>Values of parameters and of columns are null, {@link Boolean}, {@link Number}, {@link String}, {@link
 * java.time.Instant}, {@code byte[]} or {@link Json}; those of columns may also be a {@link List} of such values.
 *
 * @param binding the alias of a database binding, one of {@link HandlerSpec#databases()}
 * @param parameters their values; either all of them have names or none has
 */
public record SqlCall(String binding, String statement, List<Parameter> parameters) {

    /** @param name null for a parameter that is given by its position */
    public record Parameter(@Nullable String name, @Nullable Object value) {}

    /** A value that is JSON. */
    public record Json(String text) {}

    /** What a statement leads to. */
    public sealed interface Answer {

        /** @param rows the values of each row, in the order of the columns */
        record Rows(List<String> columns, List<List<@Nullable Object>> rows) implements Answer {}

        /** @param rows how many rows were changed */
        record Changed(long rows) implements Answer {}
    }

    public SqlCall {
        parameters = List.copyOf(parameters);
    }

    /** Returns whether the parameters are given by their names; true when there are none. */
    public boolean named() {
        return parameters.stream().allMatch(parameter -> parameter.name() != null);
    }
}
