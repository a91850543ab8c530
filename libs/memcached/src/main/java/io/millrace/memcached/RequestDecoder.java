package io.millrace.memcached;

import io.millrace.memcached.Incoming.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes of a connection into {@link Incoming} frames. A body is copied once, to an array that grows with the
 * bytes that have arrived, so that a client cannot make the server allocate memory by announcing a large body.
 *
 * <p>Bodies count against a budget. The handler of a {@link Request} returns the length of its body to the budget.
 */
public final class RequestDecoder extends ChannelInboundHandlerAdapter {

    private static final byte[] NOTHING = {};

    private final BodyBytes budget;
    private final IntSupplier mostBytes;
    private final byte[] headBytes = new byte[RequestHead.BYTES];
    private int headFilled;
    private @Nullable RequestHead head;
    private byte[] body = NOTHING;
    private int bodyFilled;
    private Incoming.@Nullable Refused refused;
    private int toSkip;
    private boolean ended;

    public RequestDecoder(BodyBytes budget) {
        this(budget, () -> MemcachedLimits.MAX_REQUEST_BYTES);
    }

    /** @param mostBytes returns the largest body of a request that is read now; asked on the thread of the connection */
    public RequestDecoder(BodyBytes budget, IntSupplier mostBytes) {
        this.budget = budget;
        this.mostBytes = mostBytes;
    }

    /** Whether a frame is incomplete; call it only on the thread of the connection. */
    public boolean midFrame() {
        return head != null || headFilled > 0 || toSkip > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable() && !ended) {
                Incoming frame = next(in);
                if (frame != null) {
                    context.fireChannelRead(frame);
                }
            }
        } finally {
            in.release();
        }
    }

    private @Nullable Incoming next(ByteBuf in) {
        if (toSkip > 0) {
            return skip(in);
        }
        RequestHead current = head;
        if (current == null) {
            if (!readHead(in)) {
                return null;
            }
            int magic = headBytes[0] & 0xff;
            if (magic != Magic.REQUEST && magic != Magic.FLEXIBLE_REQUEST) {
                ended = true;
                return new Incoming.Garbage("A frame begins with 0x%02x".formatted(magic));
            }
            current = parseHead();
            Incoming problem = check(current);
            if (problem != null || toSkip > 0) {
                return problem;
            }
            head = current;
        }
        return readBody(current, in);
    }

    private boolean readHead(ByteBuf in) {
        int count = Math.min(in.readableBytes(), RequestHead.BYTES - headFilled);
        in.readBytes(headBytes, headFilled, count);
        headFilled += count;
        if (headFilled < RequestHead.BYTES) {
            return false;
        }
        headFilled = 0;
        return true;
    }

    private RequestHead parseHead() {
        boolean flexible = (headBytes[0] & 0xff) == Magic.FLEXIBLE_REQUEST;
        return new RequestHead(
                flexible,
                headBytes[1] & 0xff,
                flexible ? headBytes[2] & 0xff : 0,
                flexible ? headBytes[3] & 0xff : int16(2),
                headBytes[4] & 0xff,
                headBytes[5] & 0xff,
                int16(6),
                int32(8),
                int32(12),
                (long) int32(16) << 32 | int32(20) & 0xffffffffL);
    }

    private int int16(int at) {
        return (headBytes[at] & 0xff) << 8 | headBytes[at + 1] & 0xff;
    }

    private int int32(int at) {
        return int16(at) << 16 | int16(at + 2);
    }

    /** Returns the response for a body that is not read, or null if it is; may start skipping it. */
    private @Nullable Incoming check(RequestHead next) {
        if (next.bodyLength() < 0 || next.bodyLength() > MemcachedLimits.MAX_SKIPPED_BYTES) {
            ended = true;
            return new Incoming.Refused(next, Status.E2BIG, "The frame is larger than any may be", true);
        }
        if (!next.lengthsFit()) {
            ended = true;
            return new Incoming.Refused(next, Status.EINVAL, "Extras and key are longer than the body", true);
        }
        if (next.bodyLength() > Math.min(MemcachedLimits.MAX_REQUEST_BYTES, mostBytes.getAsInt())) {
            return beginSkip(next, next.bodyLength(), Status.E2BIG, "The value is too large");
        }
        return null;
    }

    private @Nullable Incoming readBody(RequestHead current, ByteBuf in) {
        int length = current.bodyLength();
        int available = Math.min(in.readableBytes(), length - bodyFilled);
        if (bodyFilled + available > body.length && !grow(length, bodyFilled + available)) {
            budget.give(body.length);
            int left = length - bodyFilled;
            forget();
            return beginSkip(current, left, Status.ETMPFAIL, "The server holds as many bytes of requests as it may");
        }
        in.readBytes(body, bodyFilled, available);
        bodyFilled += available;
        if (bodyFilled < length) {
            return null;
        }
        Request request = new Request(current, body);
        forget();
        return request;
    }

    /** Grows the array for the arrived bytes; doubles it while it is small. */
    private boolean grow(int length, int needed) {
        int ahead = Math.max(needed, MemcachedLimits.MAX_ADVANCE_BYTES);
        int size = (int) Math.min(length, (long) needed + ahead);
        if (!budget.take(size - body.length, length)) {
            return false;
        }
        body = Arrays.copyOf(body, size);
        return true;
    }

    private void forget() {
        head = null;
        body = NOTHING;
        bodyFilled = 0;
    }

    private Incoming.@Nullable Refused beginSkip(RequestHead current, int bytes, Status status, String reason) {
        refused = new Incoming.Refused(current, status, reason, false);
        toSkip = bytes;
        return bytes == 0 ? skipped() : null;
    }

    private Incoming.@Nullable Refused skip(ByteBuf in) {
        int count = Math.min(in.readableBytes(), toSkip);
        in.skipBytes(count);
        toSkip -= count;
        return toSkip == 0 ? skipped() : null;
    }

    private Incoming.@Nullable Refused skipped() {
        Incoming.Refused done = refused;
        refused = null;
        return done;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        ended = true;
        budget.give(body.length);
        forget();
    }
}
