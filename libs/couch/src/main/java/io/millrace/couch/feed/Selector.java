package io.millrace.couch.feed;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.patterns.PatternSize;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** A Mango selector: a JSON object that selects documents. Immutable. */
final class Selector {

    /** The value of a path to an absent member. */
    private static final JsonNode MISSING = JsonMapper.shared().missingNode();

    /** The value of a path that continues below a value without members. */
    private static final JsonNode NO_WAY = JsonNodeFactory.instance.pojoNode("no way");

    private static final Set<String> JUNCTIONS = Set.of("$and", "$or", "$nor");

    private static final Set<String> UNSUPPORTED =
            Set.of("$where", "$geoWithin", "$geoIntersects", "$near", "$nearSphere");

    private final Predicate<JsonNode> test;

    private Selector(Predicate<JsonNode> test) {
        this.test = test;
    }

    /** Parses a selector; throws a {@link CouchException} if it is not valid. */
    static Selector of(JsonNode selector) {
        if (!selector.isObject()) {
            throw CouchException.badRequest("Selector error: expected a JSON object");
        }
        if (selector.isEmpty()) {
            return new Selector(value -> true);
        }
        Selector read = new Selector(condition(selector, false));
        if (namesNoField(selector)) {
            throw CouchException.badRequest("One or more conditions is missing a field name.");
        }
        return read;
    }

    private static boolean namesNoField(JsonNode selector) {
        if (selector.size() != 1) {
            return false;
        }
        Map.Entry<String, JsonNode> only = selector.properties().iterator().next();
        if (only.getKey().equals("$not")) {
            return namesNoField(only.getValue());
        }
        return only.getKey().startsWith("$") && !JUNCTIONS.contains(only.getKey());
    }

    boolean matches(JsonNode document) {
        return test.test(document);
    }

    /**
     * What is said of a value: an object of operators or fields that must all hold, or what it must equal. As CouchDB
     * does it, a negation goes down to the operators: nothing but {@code $exists} holds for a field that is not there.
     */
    private static Predicate<JsonNode> condition(JsonNode said, boolean negated) {
        if (!said.isObject() || said.isEmpty()) {
            return present(value -> Collation.compare(value, said) == 0, negated);
        }
        List<Predicate<JsonNode>> members = new ArrayList<>();
        said.properties().forEach(member -> members.add(member(member.getKey(), member.getValue(), negated)));
        return junction(members, !negated);
    }

    private static Predicate<JsonNode> member(String name, JsonNode argument, boolean negated) {
        return switch (name) {
            case "$and" -> junction(parts(name, argument, negated), !negated);
            case "$or" -> junction(parts(name, argument, negated), negated);
            case "$nor" -> junction(parts(name, argument, !negated), !negated);
            case "$not" -> {
                check(argument.isObject(), name, argument);
                yield condition(argument, !negated);
            }
            case "$exists" -> {
                check(argument.isBoolean(), name, argument);
                boolean wanted = argument.booleanValue() != negated;
                yield value -> wanted ? isThere(value) : value.isMissingNode();
            }
            default ->
                name.startsWith("$")
                        ? present(operator(name, argument), negated)
                        : field(path(name), condition(argument, negated));
        };
    }

    private static List<Predicate<JsonNode>> parts(String name, JsonNode argument, boolean negated) {
        check(argument.isArray(), name, argument);
        return argument.valueStream().map(part -> condition(part, negated)).toList();
    }

    /** All or any of the parts; of none, that holds which is empty. */
    private static Predicate<JsonNode> junction(List<Predicate<JsonNode>> parts, boolean all) {
        if (parts.isEmpty()) {
            return value -> true;
        }
        return all
                ? value -> parts.stream().allMatch(part -> part.test(value))
                : value -> parts.stream().anyMatch(part -> part.test(value));
    }

    private static Predicate<JsonNode> present(Predicate<JsonNode> test, boolean negated) {
        return value -> isThere(value) && test.test(value) != negated;
    }

    private static boolean isThere(JsonNode value) {
        return !value.isMissingNode() && value != NO_WAY;
    }

    private static Predicate<JsonNode> field(List<String> path, Predicate<JsonNode> condition) {
        return value -> {
            JsonNode at = value;
            for (String step : path) {
                at = step(at, step);
            }
            return condition.test(at);
        };
    }

    private static JsonNode step(JsonNode at, String name) {
        if (!isThere(at) || at.isObject()) {
            return at.isObject() ? at.path(name) : at;
        }
        boolean index = at.isArray()
                && !name.isEmpty()
                && name.length() < 9
                && name.chars().allMatch(Character::isDigit);
        JsonNode element = index ? at.path(Integer.parseInt(name)) : MISSING;
        return element.isMissingNode() ? NO_WAY : element;
    }

    /** Splits a name at its dots; a backslash makes a dot part of a name. */
    static List<String> path(String name) {
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

    private static Predicate<JsonNode> operator(String name, JsonNode argument) {
        return switch (name) {
            case "$eq", "$ne", "$lt", "$lte", "$gt", "$gte" -> comparison(name, argument);
            case "$in" -> {
                check(argument.isArray(), name, argument);
                yield value -> anyIn(value, argument);
            }
            case "$nin" -> {
                check(argument.isArray(), name, argument);
                yield value -> !anyIn(value, argument);
            }
            case "$type" -> {
                check(argument.isString(), name, argument);
                yield value -> Collation.typeName(value).equals(argument.asString());
            }
            case "$regex", "$beginsWith" -> text(name, argument);
            case "$size", "$mod" -> number(name, argument);
            case "$all", "$elemMatch", "$allMatch", "$keyMapMatch" -> elements(name, argument);
            default ->
                throw CouchException.badRequest(
                        (UNSUPPORTED.contains(name) ? "Unsupported operator: " : "Invalid operator: ") + name);
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
        return value -> wanted.test(Collation.compare(value, argument));
    }

    private static Predicate<JsonNode> text(String name, JsonNode argument) {
        check(argument.isString(), name, argument);
        if (name.equals("$beginsWith")) {
            return value -> value.isString() && value.asString().startsWith(argument.asString());
        }
        if (PatternSize.of(argument.asString()) > CouchLimits.MAX_REGEX_PARTS) {
            throw CouchException.badRequest("A $regex has at most %d characters; what is repeated counts as often."
                    .formatted(CouchLimits.MAX_REGEX_PARTS));
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(argument.asString());
        } catch (PatternSyntaxException e) {
            throw badArgument(name, argument);
        }
        return value -> value.isString() && pattern.matcher(value.asString()).find();
    }

    private static Predicate<JsonNode> number(String name, JsonNode argument) {
        if (name.equals("$size")) {
            check(argument.isIntegralNumber() && argument.asLong() >= 0, name, argument);
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
            boolean list = argument.size() == 1 && argument.get(0).isArray();
            return value -> list && Collation.compare(value, argument.get(0)) == 0
                    || value.isArray()
                            && !argument.isEmpty()
                            && argument.valueStream().allMatch(one -> anyEqual(value, one));
        }
        check(argument.isObject(), name, argument);
        Predicate<JsonNode> each = condition(argument, false);
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

    /** Whether a value, or of an array any element, is in a list. */
    private static boolean anyIn(JsonNode value, JsonNode list) {
        return value.isArray()
                ? value.valueStream().anyMatch(element -> anyEqual(list, element))
                : anyEqual(list, value);
    }

    private static boolean anyEqual(JsonNode list, JsonNode value) {
        return list.valueStream().anyMatch(one -> Collation.compare(one, value) == 0);
    }

    private static void check(boolean fits, String operator, JsonNode argument) {
        if (!fits) {
            throw badArgument(operator, argument);
        }
    }

    private static CouchException badArgument(String operator, JsonNode argument) {
        return CouchException.badRequest("Bad argument for operator %s: %s".formatted(operator, term(argument)));
    }

    /** How CouchDB prints what it was given: as a term of Erlang. */
    private static String term(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> {
                StringJoiner bytes = new StringJoiner(",", "<<", ">>");
                for (byte b : value.asString().getBytes(StandardCharsets.UTF_8)) {
                    bytes.add(Integer.toString(b & 0xff));
                }
                yield bytes.toString();
            }
            case ARRAY -> value.valueStream().map(Selector::term).collect(Collectors.joining(",", "[", "]"));
            case OBJECT ->
                value.properties().stream()
                        .map(member -> "{%s,%s}"
                                .formatted(
                                        term(JsonMapper.shared().valueToTree(member.getKey())),
                                        term(member.getValue())))
                        .collect(Collectors.joining(",", "{[", "]}"));
            default -> value.toString();
        };
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
