package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;
import java.util.Arrays;
import java.util.Base64;

/** The bytes of a document that is not JSON. */
public final class BinaryValue extends Value {

    private final byte[] bytes;

    public BinaryValue(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes; read-only. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public long parts() {
        return partsOfText(bytes.length);
    }

    @Override
    public ValueType type() {
        return ValueType.BINARY;
    }

    @Override
    public boolean truth() {
        return bytes.length > 0;
    }

    @Override
    public void write(JsonWriter out) {
        out.string("<binary (" + Base64.getEncoder().encodeToString(bytes) + ")>");
    }

    @Override
    int compareSame(Value other) {
        return Arrays.compareUnsigned(bytes, ((BinaryValue) other).bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
