package io.millrace.launcher.functions;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Runs functions on documents in memory. */
@FunctionalInterface
interface Trials {

    /**
     * Runs functions and passes on each result.
     *
     * @param arguments what to do: {@code test DIR...} or {@code run DIR}
     * @param input for {@code run} the steps, as JSON
     */
    void run(List<String> arguments, String input, Consumer<JsonNode> results);
}
