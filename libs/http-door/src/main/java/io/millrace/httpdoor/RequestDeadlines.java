package io.millrace.httpdoor;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Closes a connection whose client does not send what it has begun: the header of a request within a time that more bytes do
 * not prolong, the next piece of a body while the service waits for it; or that does not read what it has asked for. Also closes a
 * connection that stays without a request, or has one of a version of HTTP that the codec would repeat in its answer without knowing
 * it. How long the service takes to answer does not matter here. Of a connection that became a WebSocket, only what its client does
 * not read matters.
 *
 * <p>There are two handlers: this one next to the socket sees bytes and the demand for them, {@link Messages} behind the
 * codec sees requests and responses. All calls are made by the event loop of the channel.
 */
final class RequestDeadlines extends ChannelDuplexHandler {

    private static final byte[] REQUEST_TIMEOUT =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final byte[] BAD_VERSION =
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    /** The deadlines are looked at this often within the shortest of them. */
    private static final int LOOKS = 4;

    private enum Reading {
        NOTHING,
        HEADER,
        BODY
    }

    private final HttpDoorLimits limits;
    private Reading reading = Reading.NOTHING;
    private long since = System.nanoTime();
    private boolean demand;
    private boolean responseBegun;
    private int unanswered;
    private boolean upgraded;
    private final UnreadBytes unread = new UnreadBytes();

    private RequestDeadlines(HttpDoorLimits limits) {
        this.limits = limits;
    }

    /** Guards the requests of a channel. */
    static void guard(Channel channel, String codec, HttpDoorLimits limits) {
        var deadlines = new RequestDeadlines(limits);
        channel.pipeline().addBefore(codec, null, deadlines);
        channel.pipeline().addAfter(codec, null, deadlines.new Messages());
    }

    /**
     * Runs a task when everything that has been written to a channel was sent, or the channel is closed; at once for a channel
     * that is not guarded.
     */
    static void whenSent(Channel channel, Runnable task) {
        ChannelHandlerContext context = channel.pipeline().context(RequestDeadlines.class);
        if (context == null) {
            task.run();
        } else {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> task.run());
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        look(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (reading == Reading.NOTHING) {
            if (!upgraded) {
                begin(Reading.HEADER);
            }
        } else if (reading == Reading.BODY) {
            since = System.nanoTime();
            demand = false;
        }
        context.fireChannelRead(bytes);
    }

    /** The service, or the codec, wants more bytes; a body that waits for a slow service is not the client's fault. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (reading == Reading.BODY && !demand) {
            since = System.nanoTime();
            demand = true;
        }
        context.read();
    }

    private void begin(Reading next) {
        reading = next;
        since = System.nanoTime();
        demand = false;
    }

    private void look(ChannelHandlerContext context) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            return;
        }
        long waited = System.nanoTime() - since;
        if (unread.nanos(context.channel()) > limits.writeTimeout().toNanos()) {
            context.close();
            return;
        }
        boolean late = switch (reading) {
            case HEADER -> waited > limits.headerTimeout().toNanos();
            case BODY -> demand && waited > limits.bodyTimeout().toNanos();
            case NOTHING -> unanswered == 0 && waited > limits.idleTimeout().toNanos();
        };
        if (late) {
            end(context);
        } else {
            context.executor().schedule(() -> look(context), shortest().toNanos() / LOOKS, TimeUnit.NANOSECONDS);
        }
    }

    private Duration shortest() {
        return Stream.of(limits.headerTimeout(), limits.bodyTimeout(), limits.idleTimeout(), limits.writeTimeout())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void end(ChannelHandlerContext context) {
        if (reading == Reading.NOTHING || responseBegun) {
            context.close();
        } else {
            refuse(context, REQUEST_TIMEOUT);
        }
    }

    private static void refuse(ChannelHandlerContext beforeCodec, byte[] answer) {
        beforeCodec.writeAndFlush(Unpooled.wrappedBuffer(answer)).addListener(ChannelFutureListener.CLOSE);
    }

    private static boolean isKnown(HttpVersion version) {
        return version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0);
    }

    /** Sees the requests and responses of the codec. */
    private final class Messages extends ChannelDuplexHandler {

        private boolean refused;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request && !isKnown(request.protocolVersion())) {
                refused = true;
                refuse(context.pipeline().context(RequestDeadlines.this), BAD_VERSION);
            }
            if (refused) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (message instanceof HttpRequest) {
                unanswered++;
                responseBegun = false;
                begin(Reading.BODY);
            }
            if (message instanceof LastHttpContent) {
                begin(Reading.NOTHING);
            }
            context.fireChannelRead(message);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof HttpResponse response
                    && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                upgraded = true; // what the client sends from now on are not requests
                begin(Reading.NOTHING);
            }
            boolean interim = message instanceof HttpResponse response
                    && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!interim) {
                responseBegun = true;
                if (message instanceof LastHttpContent) {
                    unanswered--;
                    since = System.nanoTime();
                }
            }
            context.write(message, promise);
        }
    }
}
