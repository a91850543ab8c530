package io.millrace.launcher.shell;

import io.millrace.launcher.Plural;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The response to a statement without its rows.
 *
 * @param rest its other fields; {@code results} is empty
 */
record Answer(int status, long rows, JsonNode rest) {

    private static final Pattern LONG_FRACTION = Pattern.compile("(\\.\\d)\\d+");

    boolean succeeded() {
        return status / 100 == 2 && rest.has("results") && !rest.has("errors");
    }

    List<JsonNode> errors() {
        return list("errors");
    }

    List<JsonNode> warnings() {
        return list("warnings");
    }

    private List<JsonNode> list(String field) {
        List<JsonNode> list = new ArrayList<>();
        rest.path(field).forEach(list::add);
        return list;
    }

    /** Returns {@code 3 rows, 2 changed, 1.2ms}. */
    String figures() {
        JsonNode metrics = rest.path("metrics");
        String changed = metrics.has("mutationCount")
                ? ", " + metrics.path("mutationCount").asLong() + " changed"
                : "";
        return Plural.of(rows, "row") + changed + ", " + elapsed();
    }

    /** Returns the time that the server took, as it says it, without nanoseconds. */
    String elapsed() {
        String said = rest.path("metrics").path("elapsedTime").asString("");
        return LONG_FRACTION.matcher(said).replaceFirst("$1");
    }
}
