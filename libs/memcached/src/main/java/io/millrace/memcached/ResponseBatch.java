package io.millrace.memcached;

import io.millrace.memcached.Incoming.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Collects the responses of a connection and writes them with one flush. Small responses share a buffer, the value of a
 * large one is not copied. Not thread-safe: use it only on the thread of the connection.
 */
public final class ResponseBatch {

    private static final int FIRST_BYTES = 512;
    private static final int BUFFER_BYTES = 32 * 1024;
    private static final int LARGE_VALUE_BYTES = 8 * 1024;

    private final ChannelHandlerContext context;
    private @Nullable ByteBuf buffer;

    public ResponseBatch(ChannelHandlerContext context) {
        this.context = context;
    }

    /** Returns whether the value of a response is sent by itself and stays in memory until then. */
    public static boolean large(Response response) {
        return response.value().length > LARGE_VALUE_BYTES;
    }

    /** Adds the response to a request. */
    public void add(RequestHead head, Response response) {
        add(head, response, context.voidPromise());
    }

    /**
     * Adds the response to a request.
     *
     * @param sent completes when a large value has been sent or given up; not used for a small one
     */
    public void add(RequestHead head, Response response, ChannelPromise sent) {
        byte[] value = response.value();
        boolean large = large(response);
        ByteBuf out = buffer(
                RequestHead.BYTES + response.extras().length + response.key().length + (large ? 0 : value.length));
        out.writeByte(Magic.RESPONSE);
        out.writeByte(head.opcode());
        out.writeShort(response.key().length);
        out.writeByte(response.extras().length);
        out.writeByte(response.datatype());
        out.writeShort(response.status().code());
        out.writeInt(response.extras().length + response.key().length + value.length);
        out.writeInt(head.opaque());
        out.writeLong(response.cas());
        out.writeBytes(response.extras());
        out.writeBytes(response.key());
        if (large) {
            writeBuffer();
            context.write(Unpooled.wrappedBuffer(value), sent);
        } else {
            out.writeBytes(value);
        }
    }

    private ByteBuf buffer(int more) {
        ByteBuf current = buffer;
        if (current != null && current.readableBytes() + more > BUFFER_BYTES) {
            writeBuffer();
            current = null;
        }
        if (current == null) {
            current = context.alloc().ioBuffer(Math.max(FIRST_BYTES, more));
            buffer = current;
        }
        return current;
    }

    private void writeBuffer() {
        ByteBuf full = buffer;
        if (full != null) {
            buffer = null;
            context.write(full, context.voidPromise());
        }
    }

    /** Sends all added responses. */
    public void flush() {
        writeBuffer();
        context.flush();
    }

    /** Discards the responses that were not sent. */
    public void release() {
        ByteBuf unsent = buffer;
        if (unsent != null) {
            buffer = null;
            unsent.release();
        }
    }
}
