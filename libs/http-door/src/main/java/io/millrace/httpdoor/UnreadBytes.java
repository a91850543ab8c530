package io.millrace.httpdoor;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * For how long the other end of a connection has taken none of the bytes that wait for it. It is looked at again and again, by the
 * event loop of the connection.
 */
public final class UnreadBytes {

    private long waiting;
    private long takenAtNanos = System.nanoTime();

    /** Looks, and returns for how many nanoseconds no look has seen progress; 0 while nothing waits. */
    public long nanos(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null || buffer.isEmpty()) {
            takenAtNanos = System.nanoTime();
            return 0;
        }
        // what was added since the last look counts as progress, too: then the buffer has room, so the client reads
        long left = buffer.totalPendingWriteBytes() - buffer.currentProgress();
        if (left != waiting) {
            waiting = left;
            takenAtNanos = System.nanoTime();
        }
        return System.nanoTime() - takenAtNanos;
    }
}
