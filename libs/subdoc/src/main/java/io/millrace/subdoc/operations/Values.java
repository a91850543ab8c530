package io.millrace.subdoc.operations;

import io.millrace.json.JsonCursor;
import io.millrace.json.JsonSkip;
import io.millrace.json.MalformedJson;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdoc.paths.Path;

/** Checks the value of an operation before any document is looked at. */
final class Values {

    private Values() {}

    /** Returns whether a value may be put where the path of the operation leads. */
    static Status check(Operation operation, Path path, byte[] value) {
        Operation.Value kind = operation.value();
        if (kind == Operation.Value.NONE || kind == Operation.Value.BODY) {
            return Status.SUCCESS;
        }
        if (value.length == 0) {
            return Status.EINVAL;
        }
        if (kind == Operation.Value.DELTA) {
            return delta(value) == 0 ? Status.DELTA_EINVAL : Status.SUCCESS;
        }
        int level = level(value, kind == Operation.Value.MANY);
        if (level == 0 || kind == Operation.Value.PRIMITIVE && container(value)) {
            return Status.VALUE_CANTINSERT;
        }
        return fits(operation, path, level);
    }

    /**
     * Returns the number of levels of a value or, with {@code many}, the highest of several that commas separate; 0
     * when the bytes are not JSON.
     */
    private static int level(byte[] text, boolean many) {
        var cursor = new JsonCursor(text, 0, text.length);
        try {
            int level = cursor.skipValue();
            while (many && cursor.skipComma()) {
                level = Math.max(level, cursor.skipValue());
            }
            cursor.end();
            return level;
        } catch (MalformedJson e) {
            return e.tooDeep() ? SubdocLimits.MAX_DEPTH_LEVELS + 1 : 0;
        }
    }

    /** Returns whether a value of so many levels stays within the deepest nesting where the path leads. */
    static Status fits(Operation operation, Path path, int level) {
        return level + path.size() + wrapping(operation) > SubdocLimits.MAX_DEPTH_LEVELS
                ? Status.VALUE_ETOODEEP
                : Status.SUCCESS;
    }

    /** The path of these operations leads to the array itself, so that their values are one level deeper. */
    private static int wrapping(Operation operation) {
        return switch (operation) {
            case ARRAY_PUSH_FIRST, ARRAY_PUSH_LAST, ARRAY_ADD_UNIQUE -> 1;
            default -> 0;
        };
    }

    private static boolean container(byte[] value) {
        byte first = value[JsonSkip.blanks(value, 0, value.length)];
        return first == '{' || first == '[';
    }

    /**
     * Returns a delta, or 0 if the text is not one: zero, a plus sign, leading zeros, blanks and more than 64 bits are
     * refused.
     */
    static long delta(byte[] text) {
        int digits = text.length > 0 && text[0] == '-' ? 1 : 0;
        if (digits == text.length || text[digits] == '0') {
            return 0;
        }
        Number number = Number.parse(text, 0, text.length);
        return number.kind() == Number.Kind.INTEGER ? number.value() : 0;
    }

    /** A piece of text, read as a number. */
    record Number(Kind kind, long value) {

        enum Kind {
            INTEGER,
            /** An integer of more than 64 bits. */
            TOO_LARGE,
            NO_INTEGER
        }

        static Number parse(byte[] text, int start, int stop) {
            boolean negative = start < stop && text[start] == '-';
            int at = negative ? start + 1 : start;
            if (at == stop) {
                return new Number(Kind.NO_INTEGER, 0);
            }
            // counted downwards, where there is one number more
            long value = 0;
            boolean fits = true;
            for (; at < stop; at++) {
                int digit = text[at] - '0';
                if (digit < 0 || digit > 9) {
                    return new Number(Kind.NO_INTEGER, 0);
                }
                fits &= value > Long.MIN_VALUE / 10 || value == Long.MIN_VALUE / 10 && digit <= 8;
                value = value * 10 - digit;
            }
            fits &= negative || value != Long.MIN_VALUE;
            return fits ? new Number(Kind.INTEGER, negative ? value : -value) : new Number(Kind.TOO_LARGE, 0);
        }
    }
}
