package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.Definitions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bodies of responses on Couchbase-compatible paths. */
public final class Answers {

    /** The response header with the number of the error, 0 for success. */
    public static final String STATUS_HEADER = "status";

    private Answers() {}

    public static Map<String, Object> ok(Object info) {
        return ok(info, List.of());
    }

    public static Map<String, Object> ok(Object info, List<String> warnings) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("code", 0);
        answer.put("info", info);
        if (!warnings.isEmpty()) {
            answer.put("warning_info", Map.of("status", info, "warnings", warnings));
        }
        return answer;
    }

    public static Map<String, Object> error(ErrorCode code, Object description) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", code.name());
        answer.put("code", code.number());
        if (!code.attributes().isEmpty()) {
            answer.put("attributes", code.attributes());
        }
        answer.put("description", description);
        return answer;
    }

    /** Returns one result per function; a refused one has code 63, with the error as its info. */
    public static List<Map<String, Object>> results(List<Definitions.Result> results, String success) {
        return results.stream().map(result -> result(result, success)).toList();
    }

    private static Map<String, Object> result(Definitions.Result result, String success) {
        FunctionsException refused = result.refused();
        Map<String, Object> answer;
        if (refused == null) {
            answer = ok(success, result.warnings());
        } else {
            answer = new LinkedHashMap<>();
            answer.put("code", ErrorCode.ERR_INVALID_REQUEST.number());
            answer.put("info", error(refused.code(), refused.description()));
        }
        answer.put("appname", result.function());
        return answer;
    }
}
