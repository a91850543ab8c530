package io.millrace.worker.cases;

import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Compares JSON and says in one sentence where it differs first. Numbers of the same value are the same. */
final class Difference {

    private Difference() {}

    /** @param exact whether an object may have no members beyond those that are expected */
    static Optional<String> of(String path, JsonNode expected, JsonNode actual, boolean exact) {
        if (expected.isObject() && actual.isObject()) {
            return ofObjects(path, expected, actual, exact);
        }
        if (expected.isArray() && actual.isArray()) {
            return ofArrays(path, expected, actual, exact);
        }
        boolean same = expected.isNumber() && actual.isNumber()
                ? expected.decimalValue().compareTo(actual.decimalValue()) == 0
                : expected.equals(actual);
        return same ? Optional.empty() : Optional.of(text(path, expected, actual));
    }

    private static String text(String path, JsonNode expected, JsonNode actual) {
        return "%s: expected %s, but it is %s".formatted(path, shown(expected), shown(actual));
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "absent" : value.toString();
    }

    private static Optional<String> ofObjects(String path, JsonNode expected, JsonNode actual, boolean exact) {
        TreeSet<String> names = new TreeSet<>(expected.propertyNames());
        if (exact) {
            names.addAll(actual.propertyNames());
        }
        return names.stream()
                .map(name -> of(path + "." + name, expected.path(name), actual.path(name), exact))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> ofArrays(String path, JsonNode expected, JsonNode actual, boolean exact) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            Optional<String> found = of(path + "[" + i + "]", expected.path(i), actual.path(i), exact);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
