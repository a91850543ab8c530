package io.millrace.httpdoor;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/** Takes what a buffer of a request or response has out of it. */
public final class BufferBytes {

    private BufferBytes() {}

    /** Returns the bytes that have not been read yet, and releases the buffer, also if that fails. */
    public static byte[] take(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }
}
