package io.millrace.gateway.fastpath;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

/** A connection to a service, with one request at a time. All calls are made by its event loop. */
final class ServiceConnection extends ChannelInboundHandlerAdapter {

    /** Gets the response to a request. */
    interface Receiver {

        void begins(HttpResponse header);

        /** @param piece which the receiver releases; the last one is a {@link LastHttpContent} */
        void gets(HttpContent piece);

        /** What has arrived together has been received. */
        void pauses();

        /** The connection was closed before the end of the response. */
        void fails(IOException failure);
    }

    private final Channel channel;
    private final Deque<ServiceConnection> idle;
    private @Nullable Receiver receiver;
    private boolean interim;
    private boolean persistent;
    private long usedAt = System.nanoTime();

    private ServiceConnection(Channel channel, Deque<ServiceConnection> idle) {
        this.channel = channel;
        this.idle = idle;
    }

    /**
     * Takes over a connection that was just opened.
     *
     * @param idle where it waits between its requests
     */
    static ServiceConnection over(Channel channel, Deque<ServiceConnection> idle) {
        var connection = new ServiceConnection(channel, idle);
        channel.pipeline().remove(NettyPipeline.ReactiveBridge);
        channel.pipeline().addLast(new HttpClientCodec(), connection);
        channel.config().setAutoRead(true);
        return connection;
    }

    boolean isFresh(Duration kept) {
        return channel.isActive() && System.nanoTime() - usedAt < kept.toNanos();
    }

    void send(FullHttpRequest request, Receiver next) {
        receiver = next;
        channel.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                fail(new IOException(sent.cause()));
            }
        });
    }

    /** Returns whether a response to a receiver has not come to its end. */
    boolean isUsedBy(Receiver asking) {
        return receiver == asking;
    }

    /** Stops reading while the client does not take what was read, so that the service waits as well. */
    void reads(boolean wanted) {
        channel.config().setAutoRead(wanted);
    }

    void close() {
        receiver = null;
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Receiver current = receiver;
        if (current == null) { // nothing was asked
            ReferenceCountUtil.release(message);
            close();
            return;
        }
        if (message instanceof HttpResponse header) {
            if (header.decoderResult().isFailure()) {
                ReferenceCountUtil.release(message);
                fail(new IOException(
                        "The response cannot be read", header.decoderResult().cause()));
                return;
            }
            interim = header.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!interim) {
                persistent = HttpUtil.isKeepAlive(header);
                current.begins(header);
            }
        }
        if (message instanceof HttpContent piece) {
            take(piece);
        }
    }

    private void take(HttpContent piece) {
        Receiver current = receiver;
        if (interim || current == null) {
            piece.release();
        } else if (piece.decoderResult().isFailure()) {
            piece.release();
            fail(new IOException(
                    "The response cannot be read", piece.decoderResult().cause()));
        } else {
            if (piece instanceof LastHttpContent) {
                rest();
            }
            current.gets(piece);
        }
    }

    private void rest() {
        receiver = null;
        usedAt = System.nanoTime();
        if (persistent) {
            channel.config().setAutoRead(true);
            idle.addLast(this);
        } else {
            channel.close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        Receiver current = receiver;
        if (current != null) {
            current.pauses();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        idle.remove(this);
        fail(new EOFException("The connection was closed before the end of the response"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        fail(failure instanceof IOException broken ? broken : new IOException(failure));
    }

    private void fail(IOException failure) {
        Receiver current = receiver;
        close();
        if (current != null) {
            current.fails(failure);
        }
    }
}
