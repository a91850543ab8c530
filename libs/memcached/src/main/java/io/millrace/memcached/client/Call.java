package io.millrace.memcached.client;

import io.millrace.memcached.Opcode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A request to send. Immutable; each {@code with} method returns a changed copy. */
public record Call(
        int opcode, byte[] frameExtras, byte[] extras, byte[] key, byte[] value, int datatype, int vbucket, long cas) {

    private static final byte[] NOTHING = {};
    private static final int HEAD_BYTES = 24;
    private static final int REQUEST = 0x80;
    private static final int FLEXIBLE_REQUEST = 0x08;

    public static Call of(Opcode opcode) {
        return new Call(opcode.code(), NOTHING, NOTHING, NOTHING, NOTHING, 0, 0, 0);
    }

    public static Call of(Opcode opcode, String key) {
        return of(opcode).withKey(bytes(key));
    }

    public Call withFrameExtras(int... octets) {
        return new Call(opcode, octets(octets), extras, key, value, datatype, vbucket, cas);
    }

    public Call withExtras(byte[] bytes) {
        return new Call(opcode, frameExtras, bytes, key, value, datatype, vbucket, cas);
    }

    public Call withKey(byte[] bytes) {
        return new Call(opcode, frameExtras, extras, bytes, value, datatype, vbucket, cas);
    }

    public Call withValue(byte[] bytes) {
        return new Call(opcode, frameExtras, extras, key, bytes, datatype, vbucket, cas);
    }

    public Call withValue(String text) {
        return withValue(bytes(text));
    }

    public Call withDatatype(int bits) {
        return new Call(opcode, frameExtras, extras, key, value, bits, vbucket, cas);
    }

    public Call withVbucket(int number) {
        return new Call(opcode, frameExtras, extras, key, value, datatype, number, cas);
    }

    public Call withCas(long version) {
        return new Call(opcode, frameExtras, extras, key, value, datatype, vbucket, version);
    }

    /** Returns the frame with an opaque. */
    public byte[] frame(int opaque) {
        int body = frameExtras.length + extras.length + key.length + value.length;
        ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + body);
        if (frameExtras.length == 0) {
            frame.put((byte) REQUEST).put((byte) opcode).putShort((short) key.length);
        } else {
            frame.put((byte) FLEXIBLE_REQUEST).put((byte) opcode);
            frame.put((byte) frameExtras.length).put((byte) key.length);
        }
        frame.put((byte) extras.length).put((byte) datatype).putShort((short) vbucket);
        frame.putInt(body).putInt(opaque).putLong(cas);
        return frame.put(frameExtras).put(extras).put(key).put(value).array();
    }

    /** Returns the bytes of numbers, each an {@link Integer} or a {@link Long}, in sequence. */
    public static byte[] numbers(Number... numbers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Number number : numbers) {
            bytes.writeBytes(
                    number instanceof Long
                            ? ByteBuffer.allocate(Long.BYTES)
                                    .putLong(number.longValue())
                                    .array()
                            : ByteBuffer.allocate(Integer.BYTES)
                                    .putInt(number.intValue())
                                    .array());
        }
        return bytes.toByteArray();
    }

    /** Returns bytes given as numbers from 0 to 255. */
    public static byte[] octets(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
