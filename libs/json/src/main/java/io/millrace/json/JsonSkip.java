package io.millrace.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Skips values of JSON text without checking them: strings and brackets are followed, other scalars end at the next
 * delimiter. For text that was checked when it was stored; on other text the positions are meaningless but within it.
 * See RATIONALE.md of the module subdoc, "Skipping instead of parsing".
 *
 * <p>Takes and returns positions; a negative answer is {@link #NOT_JSON} or {@link #TOO_DEEP}.
 */
public final class JsonSkip {

    /** The text ends inside a value, or something that is not a value begins at the position. */
    public static final int NOT_JSON = -1;

    /** A value is on a level below the deepest allowed. */
    public static final int TOO_DEEP = -2;

    /** As the deepest level: skips values of any depth. */
    public static final int ANY_DEPTH = Integer.MAX_VALUE;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int BLOCK = 64;
    private static final long LOW7 = 0x7f7f7f7f7f7f7f7fL;
    private static final long QUOTES = 0x2222222222222222L;
    private static final long BACKSLASHES = 0x5c5c5c5c5c5c5c5cL;
    /** Without this bit a brace and a bracket are the same. */
    private static final long BRACE_BIT = 0x2020202020202020L;

    private static final long OPENING = 0x7b7b7b7b7b7b7b7bL;
    private static final long CLOSING = 0x7d7d7d7d7d7d7d7dL;
    /** Brings the lowest bits of eight bytes together in the highest byte. */
    private static final long GATHER = 0x0102040810204080L;

    private JsonSkip() {}

    /** Returns the first position from {@code i} on that is not white space, at most {@code end}. */
    public static int blanks(byte[] text, int i, int end) {
        int at = i;
        while (at < end && text[at] <= ' ' && blank(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean blank(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** Returns true for a byte with which a value may begin. */
    public static boolean begins(byte c) {
        return switch (c) {
            case '{', '[', '"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 't', 'f', 'n' -> true;
            default -> false;
        };
    }

    /**
     * Returns the position behind the value at {@code i}.
     *
     * @param depth how many containers are open around it
     * @param deepest the deepest level on which there may be a value; the outermost value is on level 1
     */
    public static int value(byte[] text, int i, int end, int depth, int deepest) {
        if (i >= end) {
            return NOT_JSON;
        }
        if (depth >= deepest) {
            return TOO_DEEP;
        }
        return switch (text[i]) {
            case '"' -> string(text, i, end);
            case '{', '[' ->
                depth + 1 < deepest || emptyAtBottom(text, i, end, depth + 1, deepest)
                        ? container(text, i + 1, end, depth + 1, deepest)
                        : TOO_DEEP;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 't', 'f', 'n' -> scalar(text, i + 1, end);
            default -> NOT_JSON;
        };
    }

    private static int scalar(byte[] text, int i, int end) {
        int at = i;
        while (at < end) {
            byte c = text[at];
            if (c == ',' || c == '}' || c == ']' || c >= 0 && c <= ' ') {
                break;
            }
            at++;
        }
        return at;
    }

    /** Returns the position behind the string whose opening quote is at {@code i}. */
    public static int string(byte[] text, int i, int end) {
        int at = i + 1;
        while (true) {
            while (at + Long.BYTES <= end) {
                long word = (long) WORD.get(text, at);
                long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
                if (found != 0) {
                    at += Long.numberOfTrailingZeros(found) >>> 3;
                    break;
                }
                at += Long.BYTES;
            }
            while (at < end && text[at] != '"' && text[at] != '\\') {
                at++;
            }
            if (at >= end) {
                return NOT_JSON;
            }
            if (text[at] == '"') {
                return at + 1;
            }
            at += 2;
        }
    }

    /**
     * Returns the position behind the closing bracket of a container.
     *
     * @param i a position in it that is in no string and in no inner container
     * @param depth how many containers are open, this one included
     * @param deepest the deepest level on which there may be a value
     */
    public static int container(byte[] text, int i, int end, int depth, int deepest) {
        int at = i;
        int level = depth;
        long inString = 0;
        long escape = 0;
        while (at + BLOCK <= end) {
            long quotes = 0;
            long opening = 0;
            long closing = 0;
            long backslashes = 0;
            for (int k = 0; k < BLOCK; k += Long.BYTES) {
                long word = (long) WORD.get(text, at + k);
                long folded = word | BRACE_BIT;
                quotes |= bits(zeros(word ^ QUOTES)) << k;
                opening |= bits(zeros(folded ^ OPENING)) << k;
                closing |= bits(zeros(folded ^ CLOSING)) << k;
                backslashes |= zeros(word ^ BACKSLASHES);
            }
            if ((backslashes | escape) != 0) {
                long escaped = escaped(text, at, escape);
                escape = escapeBehind(text, at, escaped);
                quotes &= ~escaped;
            }
            long strings = prefixXor(quotes) ^ inString;
            inString = strings >> (BLOCK - 1);
            opening &= ~strings;
            closing &= ~strings;
            if (level - Long.bitCount(closing) >= depth && level + Long.bitCount(opening) < deepest) {
                level += Long.bitCount(opening) - Long.bitCount(closing);
            } else {
                for (long brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
                    int position = at + Long.numberOfTrailingZeros(brackets);
                    if ((closing & brackets & -brackets) != 0) {
                        if (--level < depth) {
                            return position + 1;
                        }
                    } else if (++level >= deepest && !emptyAtBottom(text, position, end, level, deepest)) {
                        return TOO_DEEP;
                    }
                }
            }
            at += BLOCK;
            if (inString != 0 && quotes == 0) {
                at = string(text, at - 1 + (int) escape, end);
                if (at < 0) {
                    return at;
                }
                inString = 0;
                escape = 0;
            }
        }
        return rest(text, at, end, depth, level, deepest, inString != 0, escape != 0);
    }

    /** The same, byte by byte, for what is left over. */
    private static int rest(
            byte[] text, int i, int end, int depth, int from, int deepest, boolean inString, boolean escaped) {
        int at = escaped ? i + 1 : i;
        int level = from;
        if (inString) {
            at = string(text, at - 1, end);
            if (at < 0) {
                return at;
            }
        }
        while (at < end) {
            switch (text[at]) {
                case '"' -> {
                    at = string(text, at, end);
                    if (at < 0) {
                        return at;
                    }
                }
                case '{', '[' -> {
                    if (++level >= deepest && !emptyAtBottom(text, at, end, level, deepest)) {
                        return TOO_DEEP;
                    }
                    at++;
                }
                case '}', ']' -> {
                    at++;
                    if (--level < depth) {
                        return at;
                    }
                }
                default -> at++;
            }
        }
        return NOT_JSON;
    }

    /** On the deepest level there may be a container, but nothing in it. */
    private static boolean emptyAtBottom(byte[] text, int bracket, int end, int level, int deepest) {
        int next = blanks(text, bracket + 1, end);
        return level == deepest && next < end && (text[next] == '}' || text[next] == ']');
    }

    /** Returns the bits of a block's bytes that stand behind an active backslash. */
    private static long escaped(byte[] text, int at, long escape) {
        long backslashes = 0;
        for (int k = 0; k < BLOCK; k += Long.BYTES) {
            backslashes |= bits(zeros((long) WORD.get(text, at + k) ^ BACKSLASHES)) << k;
        }
        long escaped = escape;
        backslashes &= ~escape;
        while (backslashes != 0) {
            long lowest = backslashes & -backslashes;
            escaped |= lowest << 1;
            backslashes &= ~(lowest | lowest << 1);
        }
        return escaped;
    }

    /** Returns 1 when the last byte of a block is an active backslash, so that the first of the next is escaped. */
    private static long escapeBehind(byte[] text, int at, long escaped) {
        return text[at + BLOCK - 1] == '\\' && escaped >= 0 ? 1 : 0;
    }

    /** Returns the high bit of each byte that is zero. Exact, unlike the shorter formula that borrows. */
    private static long zeros(long word) {
        return ~((word & LOW7) + LOW7 | word | LOW7);
    }

    /** Returns eight bits for the high bits of eight bytes. */
    private static long bits(long highs) {
        return (highs >>> 7) * GATHER >>> 56;
    }

    /** Returns, for each bit, whether there is an odd number of bits set up to and including it. */
    private static long prefixXor(long bits) {
        long x = bits ^ bits << 1;
        x ^= x << 2;
        x ^= x << 4;
        x ^= x << 8;
        x ^= x << 16;
        return x ^ x << 32;
    }
}
