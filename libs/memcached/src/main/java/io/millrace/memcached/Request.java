package io.millrace.memcached;

import io.millrace.memcached.Incoming.RequestHead;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A request: its header and its body of frame extras, extras, key and value. Offsets are relative to the body. */
public final class Request implements Incoming {

    private final RequestHead head;
    private final byte[] body;
    private final FrameExtras frameExtras;

    Request(RequestHead head, byte[] body) {
        this.head = head;
        this.body = body;
        this.frameExtras =
                head.frameExtrasLength() == 0 ? FrameExtras.NONE : FrameExtras.parse(body, head.frameExtrasLength());
    }

    public RequestHead head() {
        return head;
    }

    /** Returns the opcode, or null if it is unknown. */
    public @Nullable Opcode opcode() {
        return Opcode.of(head.opcode());
    }

    public long cas() {
        return head.cas();
    }

    public FrameExtras frameExtras() {
        return frameExtras;
    }

    public int extrasLength() {
        return head.extrasLength();
    }

    public int keyLength() {
        return head.keyLength();
    }

    public int valueLength() {
        return body.length - valueOffset();
    }

    /** Returns the whole body; do not modify it. */
    public byte[] body() {
        return body;
    }

    private int extrasOffset() {
        return head.frameExtrasLength();
    }

    public int keyOffset() {
        return extrasOffset() + head.extrasLength();
    }

    public int valueOffset() {
        return keyOffset() + head.keyLength();
    }

    /** Returns a copy of the key. */
    public byte[] key() {
        return Arrays.copyOfRange(body, keyOffset(), valueOffset());
    }

    /** Returns a copy of the value. */
    public byte[] value() {
        return Arrays.copyOfRange(body, valueOffset(), body.length);
    }

    /** Returns a byte of the extras, 0 to 255. */
    public int extra8(int at) {
        return body[extrasOffset() + at] & 0xff;
    }

    /** Returns two bytes of the extras, 0 to 65,535. */
    public int extra16(int at) {
        return extra8(at) << 8 | extra8(at + 1);
    }

    /** Returns four bytes of the extras. */
    public int extra32(int at) {
        return extra16(at) << 16 | extra16(at + 2);
    }

    /** Returns eight bytes of the extras. */
    public long extra64(int at) {
        return (long) extra32(at) << 32 | extra32(at + 4) & 0xffffffffL;
    }
}
