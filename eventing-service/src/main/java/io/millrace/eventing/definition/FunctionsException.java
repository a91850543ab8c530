package io.millrace.eventing.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A request failed; the code and the description are those that the client receives. */
public final class FunctionsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Object description;

    private FunctionsException(ErrorCode code, String message, Object description) {
        super(message);
        this.code = code;
        this.description = description;
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns a text, or a map that is shown as a JSON object. */
    public Object description() {
        return Objects.requireNonNullElse(description, "");
    }

    public static FunctionsException of(ErrorCode code, String message) {
        return new FunctionsException(code, message, message);
    }

    /**
     * The code does not compile: the description is an object about the first mistake, as in Couchbase, with all
     * mistakes in {@code errors}.
     */
    public static FunctionsException doesNotCompile(List<CodeCheck.Mistake> mistakes) {
        CodeCheck.Mistake first = mistakes.getFirst();
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("compile_success", false);
        description.put("language", "JavaScript");
        description.put("index", 0);
        description.put("description", first.message());
        description.put("line_number", first.line());
        description.put("column_number", first.column());
        description.put("area", "handlerCode");
        description.put(
                "errors",
                mistakes.stream()
                        .map(mistake -> Map.of(
                                "description", mistake.message(),
                                "line_number", mistake.line(),
                                "column_number", mistake.column()))
                        .toList());
        return new FunctionsException(
                ErrorCode.ERR_HANDLER_COMPILATION,
                "%s (line %d, column %d)".formatted(first.message(), first.line(), first.column()),
                description);
    }

    static FunctionsException invalidConfig(String message) {
        return of(ErrorCode.ERR_INVALID_CONFIG, message);
    }

    public static FunctionsException invalidRequest(String message) {
        return of(ErrorCode.ERR_INVALID_REQUEST, message);
    }

    public static FunctionsException malformed(String message) {
        return of(ErrorCode.ERR_UNMARSHAL_PLD, message);
    }

    public static FunctionsException notFound(FunctionName name) {
        return of(ErrorCode.ERR_APP_NOT_FOUND_TS, "Function: %s not found".formatted(name));
    }

    public static FunctionsException notFoundForLifecycle(FunctionName name) {
        return of(ErrorCode.ERR_APP_NOT_FOUND, "Function: %s not found".formatted(name));
    }
}
