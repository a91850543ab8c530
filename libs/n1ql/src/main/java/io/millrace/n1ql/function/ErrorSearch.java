package io.millrace.n1ql.function;

import com.google.re2j.Pattern;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** FINDERR: the errors with a code, or with a text that matches a regular expression, regardless of case. */
final class ErrorSearch {

    private ErrorSearch() {}

    static Value apply(Value[] args, FunctionContext context) {
        List<Value> found = new ArrayList<>();
        switch (args[0]) {
            case NumberValue code -> {
                for (ErrorCode error : ErrorCode.values()) {
                    if (Value.of((long) error.code()).equals(code)) {
                        found.add(described(error));
                    }
                }
            }
            case StringValue text -> {
                Pattern pattern = Args.pattern("(?i)" + text.text(), context);
                for (ErrorCode error : ErrorCode.values()) {
                    if (pattern.matcher(error + " " + error.meaning()).find()) {
                        found.add(described(error));
                    }
                }
            }
            default -> {
                return Args.unknown(args);
            }
        }
        return found.isEmpty() ? Value.NULL : ArrayValue.of(found);
    }

    private static Value described(ErrorCode error) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("code", Value.of((long) error.code()));
        fields.put("symbol", Value.of(error.name().toLowerCase(Locale.ROOT)));
        fields.put("description", Value.of(error.meaning()));
        return ObjectValue.of(fields);
    }
}
