package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.BinaryValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes values as bytes in collation order. No encoding is a prefix of another, so encodings can be concatenated. The
 * first byte is the type:
 *
 * <pre>
 *   10 MISSING   20 NULL   30 FALSE   31 TRUE
 *   40 number    8 bytes of the double, 2 bytes of the difference of an integer from it
 *   50 string    UTF-8, 00 as 00 FF, then 00 01
 *   60 array     its elements, then 01
 *   70 object    4 bytes of the number of its fields, then names and values in the order of the names
 *   80 binary    as a string
 * </pre>
 */
final class KeyEncoding {

    static final byte MISSING = 0x10;
    static final byte NULL = 0x20;
    static final byte FALSE = 0x30;
    static final byte TRUE = 0x31;
    static final byte NUMBER = 0x40;
    static final byte STRING = 0x50;
    static final byte ARRAY = 0x60;
    static final byte OBJECT = 0x70;
    static final byte BINARY = (byte) 0x80;
    private static final byte END_OF_ARRAY = 0x01;
    private static final byte ESCAPED = (byte) 0xff;
    private static final byte END_OF_TEXT = 0x01;

    /** The first byte and the double of a number. */
    static final int NUMBER_PREFIX = 9;

    /** Not every integer above this is a double. */
    private static final double LARGEST_EXACT = 9007199254740992.0;

    private KeyEncoding() {}

    static byte[] of(Value value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(24);
        write(value, out);
        return out.toByteArray();
    }

    /**
     * Returns whether all values that equal this one have the same bytes. Equal integers and doubles beyond 53 bits may
     * differ.
     */
    static boolean isExact(Value value) {
        return switch (value) {
            case NumberValue number -> Math.abs(number.doubleValue()) < LARGEST_EXACT;
            case ArrayValue array -> array.items().stream().allMatch(KeyEncoding::isExact);
            case ObjectValue object -> object.fields().values().stream().allMatch(KeyEncoding::isExact);
            default -> true;
        };
    }

    static void write(Value value, ByteArrayOutputStream out) {
        switch (value) {
            case NumberValue number -> {
                out.write(NUMBER);
                number(number, out);
            }
            case StringValue text -> {
                out.write(STRING);
                text(text.text().getBytes(StandardCharsets.UTF_8), out);
            }
            case ArrayValue array -> {
                out.write(ARRAY);
                array.forEach(item -> write(item, out));
                out.write(END_OF_ARRAY);
            }
            case ObjectValue object -> {
                out.write(OBJECT);
                out.writeBytes(ByteBuffer.allocate(4).putInt(object.size()).array());
                for (String name : object.sortedNames()) {
                    text(name.getBytes(StandardCharsets.UTF_8), out);
                    write(object.get(name), out);
                }
            }
            case BinaryValue binary -> {
                out.write(BINARY);
                text(binary.bytes(), out);
            }
            default ->
                out.write(value.isMissing() ? MISSING : value.isNull() ? NULL : value == Value.TRUE ? TRUE : FALSE);
        }
    }

    private static void number(NumberValue number, ByteArrayOutputStream out) {
        double real = number.doubleValue() == 0 ? 0.0 : number.doubleValue();
        long bits = Double.doubleToLongBits(real);
        long ordered = Double.isNaN(real) ? 0 : bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
        long rest = number.isInteger() ? number.longValue() - (long) real : 0;
        out.writeBytes(ByteBuffer.allocate(10)
                .putLong(ordered)
                .putShort((short) (rest ^ Short.MIN_VALUE))
                .array());
    }

    static void text(byte[] utf8, ByteArrayOutputStream out) {
        escaped(utf8, out);
        out.write(0);
        out.write(END_OF_TEXT);
    }

    private static void escaped(byte[] utf8, ByteArrayOutputStream out) {
        for (byte b : utf8) {
            out.write(b);
            if (b == 0) {
                out.write(ESCAPED);
            }
        }
    }

    /** Returns the common first bytes of all strings with a prefix. */
    static byte[] prefix(String prefix) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(STRING);
        escaped(prefix.getBytes(StandardCharsets.UTF_8), out);
        return out.toByteArray();
    }

    /** Returns one encoding followed by another. */
    static byte[] concat(byte[] head, byte[] tail) {
        byte[] both = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, both, head.length, tail.length);
        return both;
    }

    static byte[] inverted(byte[] bytes) {
        byte[] inverted = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            inverted[i] = (byte) ~bytes[i];
        }
        return inverted;
    }

    /** Decodes the values of an entry in order. */
    static final class Reader {

        private final byte[] bytes;
        private int at;
        private int mask;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        int position() {
            return at;
        }

        Value value(boolean inverted) {
            mask = inverted ? 0xff : 0;
            return read();
        }

        /** Decodes a text without a type byte. */
        String plainText() {
            mask = 0;
            return new String(text(), StandardCharsets.UTF_8);
        }

        private byte next() {
            return (byte) (bytes[at++] ^ mask);
        }

        private byte peek() {
            return (byte) (bytes[at] ^ mask);
        }

        private Value read() {
            byte type = next();
            return switch (type) {
                case MISSING -> Value.MISSING;
                case NULL -> Value.NULL;
                case FALSE -> Value.FALSE;
                case TRUE -> Value.TRUE;
                case NUMBER -> number();
                case STRING -> Value.of(new String(text(), StandardCharsets.UTF_8));
                case ARRAY -> {
                    List<Value> items = new ArrayList<>();
                    while (peek() != END_OF_ARRAY) {
                        items.add(read());
                    }
                    at++;
                    yield ArrayValue.of(items);
                }
                case OBJECT -> {
                    int size = (int) number(4);
                    Map<String, Value> fields = new LinkedHashMap<>();
                    for (int i = 0; i < size; i++) {
                        fields.put(new String(text(), StandardCharsets.UTF_8), read());
                    }
                    yield ObjectValue.of(fields);
                }
                case BINARY -> new BinaryValue(text());
                default -> throw new IllegalStateException("Not an entry of an index: byte " + type + " at " + at);
            };
        }

        private long number(int length) {
            long number = 0;
            for (int i = 0; i < length; i++) {
                number = number << 8 | next() & 0xff;
            }
            return number;
        }

        private Value number() {
            long ordered = number(8);
            double real = Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
            short rest = (short) (number(2) ^ Short.MIN_VALUE);
            NumberValue plain = NumberValue.integerIfExact(real);
            return rest == 0 ? plain : Value.of((long) real + rest);
        }

        private byte[] text() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            while (true) {
                byte b = next();
                if (b == 0 && next() == END_OF_TEXT) {
                    return out.toByteArray();
                }
                out.write(b);
            }
        }
    }
}
