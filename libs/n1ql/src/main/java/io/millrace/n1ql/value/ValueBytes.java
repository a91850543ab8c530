package io.millrace.n1ql.value;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values outside of the heap and their size in it. What is read back is the same in every respect, MISSING included. */
public final class ValueBytes {

    private static final byte MISSING = 0;
    private static final byte NULL = 1;
    private static final byte FALSE = 2;
    private static final byte TRUE = 3;
    private static final byte INTEGER = 4;
    private static final byte DOUBLE = 5;
    private static final byte JSON = 6;
    private static final byte STRING = 7;
    private static final byte ARRAY = 8;
    private static final byte OBJECT = 9;
    private static final byte BINARY = 10;

    // what values take of the heap of a usual JVM, whose references have four bytes

    /** A value without contents, and a name with its place in an object. */
    private static final long SHELL = 40;

    /** A text without its characters. */
    private static final long TEXT = 56;

    /** An array without its items. */
    private static final long ARRAY_SHELL = 56;

    private static final long REFERENCE = 4;

    /** A computed object without its fields. */
    private static final long OBJECT_SHELL = 128;

    private ValueBytes() {}

    public static void write(Value value, DataOutput out) throws IOException {
        switch (value) {
            case NumberValue number -> number(number, out);
            case StringValue text -> bytes(STRING, text.text().getBytes(StandardCharsets.UTF_8), out);
            case BinaryValue binary -> bytes(BINARY, binary.bytes(), out);
            case ArrayValue array -> {
                out.writeByte(ARRAY);
                out.writeInt(array.size());
                for (Value item : array) {
                    write(item, out);
                }
            }
            case JsonObject json -> bytes(JSON, json.toJsonBytes(), out);
            case ObjectValue object -> {
                out.writeByte(OBJECT);
                out.writeInt(object.size());
                for (Map.Entry<String, Value> field : object.fields().entrySet()) {
                    bytes(STRING, field.getKey().getBytes(StandardCharsets.UTF_8), out);
                    write(field.getValue(), out);
                }
            }
            default ->
                out.writeByte(value.isMissing() ? MISSING : value.isNull() ? NULL : value == Value.TRUE ? TRUE : FALSE);
        }
    }

    private static void number(NumberValue number, DataOutput out) throws IOException {
        if (number.isInteger()) {
            out.writeByte(INTEGER);
            out.writeLong(number.longValue());
        } else if (Value.of(number.doubleValue()).toJson().equals(number.toJson())) {
            out.writeByte(DOUBLE);
            out.writeDouble(number.doubleValue());
        } else {
            bytes(JSON, number.toJsonBytes(), out); // spelled as in its document
        }
    }

    private static void bytes(byte type, byte[] bytes, DataOutput out) throws IOException {
        out.writeByte(type);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static Value read(DataInput in) throws IOException {
        byte type = in.readByte();
        return switch (type) {
            case MISSING -> Value.MISSING;
            case NULL -> Value.NULL;
            case FALSE -> Value.FALSE;
            case TRUE -> Value.TRUE;
            case INTEGER -> Value.of(in.readLong());
            case DOUBLE -> Value.of(in.readDouble());
            case JSON -> Json.trusted(bytes(in));
            case STRING -> Value.of(new String(bytes(in), StandardCharsets.UTF_8));
            case BINARY -> new BinaryValue(bytes(in));
            case ARRAY -> {
                int size = in.readInt();
                List<Value> items = new ArrayList<>(size);
                for (int i = 0; i < size; i++) {
                    items.add(read(in));
                }
                yield ArrayValue.of(items);
            }
            case OBJECT -> {
                int size = in.readInt();
                Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(size);
                for (int i = 0; i < size; i++) {
                    fields.put(((StringValue) read(in)).text(), read(in));
                }
                yield ObjectValue.of(fields);
            }
            default -> throw new IOException("not a value: type " + type);
        };
    }

    private static byte[] bytes(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    /** Returns about how many bytes of heap a value holds; an object holds the document that it is part of. */
    public static long size(Value value) {
        return switch (value) {
            case StringValue text -> TEXT + text.text().length();
            case BinaryValue binary -> SHELL + binary.bytes().length;
            case ArrayValue array ->
                ARRAY_SHELL
                        + array.items().stream()
                                .mapToLong(item -> REFERENCE + size(item))
                                .sum();
            case JsonObject json -> json.heldBytes();
            case ObjectValue object ->
                OBJECT_SHELL
                        + object.fields().entrySet().stream()
                                .mapToLong(field -> SHELL + field.getKey().length() + size(field.getValue()))
                                .sum();
            default -> SHELL;
        };
    }

    /** Returns whether a value has parts that are parsed when they are asked for, which is for one thread at a time. */
    public static boolean isParsedOnAccess(Value value) {
        return switch (value) {
            case JsonObject json -> true;
            case ArrayValue array ->
                array.items() instanceof JsonItems || array.items().stream().anyMatch(ValueBytes::isParsedOnAccess);
            case ObjectValue object -> object.fields().values().stream().anyMatch(ValueBytes::isParsedOnAccess);
            default -> false;
        };
    }

    /** Returns the value without the rest of the document that it is part of. */
    public static Value alone(Value value) {
        return switch (value) {
            case JsonObject json -> json.alone();
            case ArrayValue array ->
                ArrayValue.of(array.items().stream().map(ValueBytes::alone).toList());
            case MapObject object -> {
                Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(object.size());
                object.fields().forEach((name, field) -> fields.put(name, alone(field)));
                yield ObjectValue.of(fields);
            }
            default -> value;
        };
    }
}
