package io.millrace.eventing.definition;

import io.millrace.handler.requests.RequestSchema;
import io.millrace.handler.requests.UnusableSchema;
import io.millrace.n1ql.DocumentCondition;
import io.millrace.n1ql.QueryException;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.Schedules;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The values that a setting may have. */
sealed interface SettingRule {

    /**
     * Returns the value, or null when the rule does not allow it.
     *
     * @throws FunctionsException if the value is wrong at a place that can be named, with the code ERR_INVALID_CONFIG
     */
    @Nullable
    Object accept(JsonNode value);

    /** Returns the rule in words: "a whole number from 1 to 64". */
    String words();

    record Whole(long min, long max) implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            // some tools write 5 as 5.0
            if (!value.isNumber()
                    || value.decimalValue().stripTrailingZeros().scale() > 0
                    || !value.canConvertToLong()) {
                return null;
            }
            long number = value.decimalValue().longValue();
            return number >= min && number <= max ? (Object) number : null;
        }

        @Override
        public String words() {
            return max == Long.MAX_VALUE
                    ? "a whole number of at least " + min
                    : "a whole number from " + min + " to " + max;
        }
    }

    record Flag() implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isBoolean() ? (Object) value.booleanValue() : null;
        }

        @Override
        public String words() {
            return "true or false";
        }
    }

    /** The constants of {@link Env}; what is wrong with one of them is said by an exception. */
    record Constants() implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isObject() ? Env.read(value) : null;
        }

        @Override
        public String words() {
            return "an object of at most %d names with numbers, booleans, or strings of at most %d characters"
                    .formatted(Env.MAX_CONSTANTS, Env.MAX_CHARS);
        }
    }

    /** The secrets of {@link SecretNames}; what is wrong with one of them is said by an exception. */
    record Secrets() implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isObject() ? SecretNames.read(value) : null;
        }

        @Override
        public String words() {
            return "an object of at most %d names with names of secrets".formatted(SecretNames.MAX_SECRETS);
        }
    }

    /** The requests of {@link RequestSchema}, or an empty object for all. */
    record Requests() implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            if (!value.isObject() || value.toString().length() > RequestSchema.MAX_CHARS) {
                return null;
            }
            if (value.isEmpty()) {
                return RequestPaths.NONE;
            }
            try {
                RequestSchema.of(value);
            } catch (UnusableSchema unusable) {
                throw FunctionsException.invalidConfig(String.valueOf(unusable.getMessage()));
            }
            return new RequestPaths(value.toString());
        }

        @Override
        public String words() {
            return "an object with `paths` and `components` as in OpenAPI 3.1, of at most %d characters; `{}` for none"
                    .formatted(RequestSchema.MAX_CHARS);
        }
    }

    record Text(int maxChars) implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isString() && value.stringValue().length() <= maxChars ? value.stringValue() : null;
        }

        @Override
        public String words() {
            return "a string of at most " + maxChars + " characters";
        }
    }

    record OneOf(List<String> choices) implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isString() && choices.contains(value.stringValue()) ? value.stringValue() : null;
        }

        @Override
        public String words() {
            return "one of "
                    + String.join(
                            ", ",
                            choices.stream()
                                    .map(word -> word.isEmpty() ? "\"\"" : word)
                                    .toList());
        }
    }

    record Lines(int maxLines, int maxCharsPerLine) implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            if (!value.isArray() || value.size() > maxLines) {
                return null;
            }
            List<String> lines = new ArrayList<>();
            for (JsonNode line : value) {
                if (!line.isString() || line.stringValue().length() > maxCharsPerLine) {
                    return null;
                }
                lines.add(line.stringValue());
            }
            return List.copyOf(lines);
        }

        @Override
        public String words() {
            return "an array of at most %d strings of at most %d characters".formatted(maxLines, maxCharsPerLine);
        }
    }

    /** Schedules, each a line as {@link Schedules#parse} reads it. */
    record CronLines(int maxLines, int maxCharsPerLine) implements SettingRule {
        @Override
        @SuppressWarnings("unchecked") // a Lines accepts a list of texts
        public @Nullable Object accept(JsonNode value) {
            Object lines = new Lines(maxLines, maxCharsPerLine).accept(value);
            try {
                if (lines != null) {
                    Schedules.parse((List<String>) lines);
                }
                return lines;
            } catch (TimersException e) {
                return null;
            }
        }

        @Override
        public String words() {
            return "an array of at most %d strings, each a callback and the five fields of cron".formatted(maxLines);
        }
    }

    /** A condition over one document, or "" for none. */
    record Condition(int maxChars) implements SettingRule {
        @Override
        public @Nullable Object accept(JsonNode value) {
            Object text = new Text(maxChars).accept(value);
            if (text instanceof String condition && !condition.isBlank()) {
                check(condition);
            }
            return text;
        }

        private static void check(String condition) {
            try {
                DocumentCondition.of(condition);
            } catch (QueryException e) {
                throw FunctionsException.invalidConfig(
                        "The filter '%s' cannot be used: %s Write a condition as behind WHERE, such as type = \"order\" AND META().id LIKE \"eu:%%\"."
                                .formatted(condition, sentence(e.getMessage())));
            }
        }

        private static String sentence(String message) {
            return message.endsWith(".") ? message : message + '.';
        }

        @Override
        public String words() {
            return "a condition of N1QL of at most " + maxChars + " characters, or \"\"";
        }
    }

    /** A folder inside another one, or "." or "" for that one itself; an absolute path is taken from there as well. */
    record Folder(int maxChars) implements SettingRule {

        static final Pattern PATH =
                Pattern.compile("\\.|/?(?:[A-Za-z0-9_@-][A-Za-z0-9_@.-]*(?:/[A-Za-z0-9_@-][A-Za-z0-9_@.-]*)*)?/?");

        @Override
        public @Nullable Object accept(JsonNode value) {
            return value.isString()
                            && value.stringValue().length() <= maxChars
                            && PATH.matcher(value.stringValue()).matches()
                    ? value.stringValue()
                    : null;
        }

        @Override
        public String words() {
            return "a path of at most " + maxChars + " characters, or \".\"";
        }
    }
}
