package io.millrace.handler.bridge;

import org.graalvm.polyglot.Value;

/** Bytes of JavaScript's buffers. */
final class Buffers {
    private Buffers() {}

    static byte[] bytes(Value buffer) {
        var bytes = new byte[(int) buffer.getBufferSize()];
        buffer.readBuffer(0, bytes, 0, bytes.length);
        return bytes;
    }
}
