package io.millrace.couch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Mango selector: a JSON object that says which documents are meant. Immutable. */
final class Selector {

    private static final JsonNode MISSING = JsonMapper.shared().missingNode();

    private final Predicate<JsonNode> test;

    private Selector(Predicate<JsonNode> test) {
        this.test = test;
    }

    /** Reads a selector; throws a {@link CouchException} when it is none. */
    static Selector of(JsonNode selector) {
        if (!selector.isObject()) {
            throw CouchException.badRequest("Selector error: expected a JSON object");
        }
        return new Selector(object(selector));
    }

    boolean matches(JsonNode document) {
        return test.test(document);
    }

    /** All members of an object, operators or fields, must hold. */
    private static Predicate<JsonNode> object(JsonNode selector) {
        List<Predicate<JsonNode>> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : selector.properties()) {
            String name = member.getKey();
            JsonNode argument = member.getValue();
            all.add(name.startsWith("$") ? operator(name, argument) : field(name, argument));
        }
        return value -> all.stream().allMatch(one -> one.test(value));
    }

    private static Predicate<JsonNode> field(String name, JsonNode argument) {
        List<String> path = path(name);
        Predicate<JsonNode> condition = condition(argument);
        return value -> {
            JsonNode at = value;
            for (String step : path) {
                at = at.isObject() ? at.path(step) : MISSING;
            }
            return condition.test(at);
        };
    }

    /** Splits a name at its dots; a backslash makes a dot part of a name. */
    private static List<String> path(String name) {
        List<String> path = new ArrayList<>();
        StringBuilder step = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\\' && i + 1 < name.length() && name.charAt(i + 1) == '.') {
                step.append('.');
                i++;
            } else if (c == '.') {
                path.add(step.toString());
                step.setLength(0);
            } else {
                step.append(c);
            }
        }
        path.add(step.toString());
        return path;
    }

    /** What is said of a value: an object of operators or fields, or what it must equal. */
    private static Predicate<JsonNode> condition(JsonNode argument) {
        if (argument.isObject() && !argument.isEmpty()) {
            return object(argument);
        }
        return value -> !value.isMissingNode() && Collation.compare(value, argument) == 0;
    }

    private static Predicate<JsonNode> operator(String name, JsonNode argument) {
        return switch (name) {
            case "$and" -> {
                List<Predicate<JsonNode>> parts = parts(name, argument);
                yield value -> parts.stream().allMatch(part -> part.test(value));
            }
            case "$or" -> {
                List<Predicate<JsonNode>> parts = parts(name, argument);
                yield value -> parts.stream().anyMatch(part -> part.test(value));
            }
            case "$nor" -> {
                List<Predicate<JsonNode>> parts = parts(name, argument);
                yield value -> parts.stream().noneMatch(part -> part.test(value));
            }
            case "$not" -> condition(argument).negate();
            case "$exists" -> value -> value.isMissingNode() != argument.asBoolean(false);
            case "$eq", "$ne", "$lt", "$lte", "$gt", "$gte" -> comparison(name, argument);
            case "$in" -> {
                check(argument.isArray(), name, argument);
                yield value -> anyEqual(value, argument);
            }
            case "$nin" -> {
                check(argument.isArray(), name, argument);
                yield value -> !value.isMissingNode() && !anyEqual(value, argument);
            }
            case "$type" ->
                value -> !value.isMissingNode() && Collation.typeName(value).equals(argument.asString(""));
            case "$regex", "$beginsWith" -> text(name, argument);
            case "$size", "$mod" -> number(name, argument);
            case "$all", "$elemMatch", "$allMatch", "$keyMapMatch" -> elements(name, argument);
            default -> throw CouchException.badRequest("Invalid operator: " + name);
        };
    }

    private static Predicate<JsonNode> comparison(String name, JsonNode argument) {
        Predicate<Integer> wanted = switch (name) {
            case "$eq" -> order -> order == 0;
            case "$ne" -> order -> order != 0;
            case "$lt" -> order -> order < 0;
            case "$lte" -> order -> order <= 0;
            case "$gt" -> order -> order > 0;
            default -> order -> order >= 0;
        };
        return value -> !value.isMissingNode() && wanted.test(Collation.compare(value, argument));
    }

    private static Predicate<JsonNode> text(String name, JsonNode argument) {
        check(argument.isString(), name, argument);
        if (name.equals("$beginsWith")) {
            return value -> value.isString() && value.asString().startsWith(argument.asString());
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(argument.asString());
        } catch (PatternSyntaxException e) {
            throw CouchException.badRequest("Invalid regex: " + argument.asString());
        }
        return value -> value.isString() && pattern.matcher(value.asString()).find();
    }

    private static Predicate<JsonNode> number(String name, JsonNode argument) {
        if (name.equals("$size")) {
            check(argument.isIntegralNumber(), name, argument);
            return value -> value.isArray() && value.size() == argument.asLong();
        }
        boolean two = argument.isArray()
                && argument.size() == 2
                && argument.get(0).isIntegralNumber()
                && argument.get(1).isIntegralNumber()
                && argument.get(0).asLong() != 0;
        check(two, name, argument);
        long divisor = argument.get(0).asLong();
        return value -> value.isIntegralNumber()
                && value.asLong() % divisor == argument.get(1).asLong();
    }

    private static Predicate<JsonNode> elements(String name, JsonNode argument) {
        if (name.equals("$all")) {
            check(argument.isArray(), name, argument);
            return value -> value.isArray() && argument.valueStream().allMatch(one -> anyEqual(one, value));
        }
        Predicate<JsonNode> each = condition(argument);
        return switch (name) {
            case "$elemMatch" -> value -> value.isArray() && value.valueStream().anyMatch(each);
            case "$allMatch" ->
                value -> value.isArray()
                        && !value.isEmpty()
                        && value.valueStream().allMatch(each);
            default ->
                value -> value.isObject()
                        && value.propertyNames().stream()
                                .anyMatch(key -> each.test(JsonMapper.shared().valueToTree(key)));
        };
    }

    private static boolean anyEqual(JsonNode value, JsonNode list) {
        for (Iterator<JsonNode> all = list.values().iterator(); all.hasNext(); ) {
            if (!value.isMissingNode() && Collation.compare(value, all.next()) == 0) {
                return true;
            }
            if (value.isMissingNode()) {
                return false;
            }
        }
        return false;
    }

    private static List<Predicate<JsonNode>> parts(String name, JsonNode argument) {
        check(argument.isArray(), name, argument);
        return argument.valueStream().map(Selector::condition).toList();
    }

    private static void check(boolean fits, String operator, JsonNode argument) {
        if (!fits) {
            throw CouchException.badRequest("Bad argument for operator %s: %s".formatted(operator, argument));
        }
    }

    /** CouchDB's order of JSON values. */
    private static final class Collation {

        static String typeName(JsonNode value) {
            return switch (rank(value)) {
                case 0 -> "null";
                case 1 -> "boolean";
                case 2 -> "number";
                case 3 -> "string";
                case 4 -> "array";
                default -> "object";
            };
        }

        private static int rank(JsonNode value) {
            return switch (value.getNodeType()) {
                case NULL, MISSING -> 0;
                case BOOLEAN -> 1;
                case NUMBER -> 2;
                case STRING -> 3;
                case ARRAY -> 4;
                default -> 5;
            };
        }

        static int compare(JsonNode one, JsonNode two) {
            int rank = rank(one);
            if (rank != rank(two)) {
                return Integer.compare(rank, rank(two));
            }
            return switch (rank) {
                case 0 -> 0;
                case 1 -> Boolean.compare(one.asBoolean(), two.asBoolean());
                case 2 -> one.decimalValue().compareTo(two.decimalValue());
                case 3 -> one.asString().compareTo(two.asString());
                case 4 -> sequences(one.values().iterator(), two.values().iterator());
                default -> objects(one, two);
            };
        }

        private static int sequences(Iterator<JsonNode> one, Iterator<JsonNode> two) {
            while (one.hasNext() && two.hasNext()) {
                int order = compare(one.next(), two.next());
                if (order != 0) {
                    return order;
                }
            }
            return Boolean.compare(one.hasNext(), two.hasNext());
        }

        private static int objects(JsonNode one, JsonNode two) {
            if (one.size() != two.size()) {
                return Integer.compare(one.size(), two.size());
            }
            for (Map.Entry<String, JsonNode> member : one.properties()) {
                JsonNode other = two.get(member.getKey());
                if (other == null) {
                    return 1;
                }
                int order = compare(member.getValue(), other);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }
    }
}
