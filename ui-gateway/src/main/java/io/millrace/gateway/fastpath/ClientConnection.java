package io.millrace.gateway.fastpath;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The connection of a client, between the codec and the server of the HTTP library. Takes the requests of the {@link FastPath}
 * that have arrived whole, one at a time; all others, and those that fail before their response has begun, go on to the server,
 * which does not notice that there were others. All calls are made by the event loop.
 *
 * <p>A request is taken only while the server has none, so that responses keep the order of their requests. What arrives during
 * an exchange waits. It is not more than one read brings, because there is no further read until it has been looked at.
 */
final class ClientConnection extends ChannelDuplexHandler {

    private static final AttributeKey<FastPathServer.Failed> FAILED =
            AttributeKey.valueOf(ClientConnection.class, "failed");

    private final FastPath paths;
    private final Exchanges exchanges;

    /** Arrived during an exchange. */
    private final Deque<Object> waiting = new ArrayDeque<>();

    /** The requests that the server has and has not answered. */
    private int atServer;

    private boolean interim;

    /** The request that is arriving if it is one of the fast path, otherwise null. */
    private @Nullable HttpRequest arriving;

    private @Nullable Passage passage;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private @Nullable Exchange exchange;
    private boolean closing;
    private boolean broken;

    ClientConnection(FastPath paths, Exchanges exchanges) {
        this.paths = paths;
        this.exchanges = exchanges;
    }

    static FastPathServer.@Nullable Failed failed(ServerHttpRequest request) {
        HttpServerRequest received = ServerHttpRequestDecorator.getNativeRequest(request);
        var found = new FastPathServer.Failed[1];
        received.withConnection(
                connection -> found[0] = connection.channel().attr(FAILED).getAndSet(null));
        return found[0];
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (exchange != null || !waiting.isEmpty() || isTooEarly(context, message)) {
            waiting.add(message);
        } else {
            accept(context, message);
        }
    }

    /**
     * A client that does not take its responses gets no more of them. The server looks after its own, and after what the end of a
     * connection has cut off: a closed connection is not writable either.
     */
    private boolean isTooEarly(ChannelHandlerContext context, Object message) {
        return message instanceof HttpRequest
                && atServer == 0
                && context.channel().isActive()
                && !context.channel().isWritable();
    }

    private void accept(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            passage = atServer == 0 && isSimple(request) ? passage(context, request) : null;
            if (passage != null) {
                arriving = request;
                return;
            }
            atServer++;
        }
        if (arriving == null || !(message instanceof HttpContent content)) {
            context.fireChannelRead(message);
            return;
        }
        add(content.content());
        if (content instanceof LastHttpContent last) {
            if (last.decoderResult().isSuccess() && last.trailingHeaders().isEmpty()) {
                begin(context, arriving);
            } else {
                toServer(context, arriving);
                context.fireChannelRead(last.replace(Unpooled.EMPTY_BUFFER)); // the body has gone ahead
            }
        }
    }

    private @Nullable Passage passage(ChannelHandlerContext context, HttpRequest request) {
        ReceivedRequest received = ReceivedRequest.of(context.channel(), request);
        return received == null ? null : paths.passage(received);
    }

    /** Returns whether a request needs nothing of the server but its body, and that is short. */
    private static boolean isSimple(HttpRequest request) {
        var headers = request.headers();
        return request.decoderResult().isSuccess()
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && HttpUtil.isKeepAlive(request)
                && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                && !headers.contains(HttpHeaderNames.EXPECT)
                && !headers.contains(HttpHeaderNames.UPGRADE)
                && !headers.contains(HttpHeaderNames.COOKIE)
                && HttpUtil.getContentLength(request, 0L) <= FastPath.SHORT_BYTES;
    }

    private void add(ByteBuf content) {
        if (!content.isReadable()) {
            content.release();
        } else {
            body = body.isReadable() ? Unpooled.wrappedBuffer(body, content) : content;
        }
    }

    private ByteBuf takeBody() {
        ByteBuf taken = body;
        body = Unpooled.EMPTY_BUFFER;
        return taken;
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        Passage way = passage;
        if (way != null) {
            arriving = null;
            passage = null;
            exchange = new Exchange(this, context, request, takeBody(), way);
            exchanges.begun();
            exchange.start();
        }
    }

    /** Gives the server a request that has not come to its end yet, or whose end is not an ordinary one. */
    private void toServer(ChannelHandlerContext context, HttpRequest request) {
        arriving = null;
        passage = null;
        atServer++;
        context.fireChannelRead(request);
        ByteBuf content = takeBody();
        if (content.isReadable()) {
            context.fireChannelRead(new DefaultHttpContent(content));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        lookAgain(context);
        context.fireChannelReadComplete();
    }

    /** Reading goes on before it has stopped, which would be a call of the system to stop it and one to begin again. */
    private void lookAgain(ChannelHandlerContext context) {
        if (arriving != null && exchange == null) {
            toServer(context, arriving); // which waits for the rest within its time-outs
        }
        if (atServer == 0 && waiting.isEmpty() && context.channel().isWritable()) {
            context.read();
        }
    }

    /** An exchange has ended with its response. */
    void ended(ChannelHandlerContext context) {
        exchange = null;
        exchanges.ended();
        if (closing) {
            context.close();
        } else {
            proceed(context);
        }
    }

    /** Goes on with what has arrived meanwhile, once the client has taken enough of the responses before. */
    private void proceed(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            return;
        }
        while (exchange == null && !waiting.isEmpty()) {
            accept(context, waiting.poll());
        }
        lookAgain(context);
    }

    /** An exchange has failed before its response has begun: the server tells the client why. */
    void failed(ChannelHandlerContext context, HttpRequest request, ByteBuf content, FastPathServer.Failed failure) {
        exchange = null;
        exchanges.ended();
        if (closing) {
            request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.channel().attr(FAILED).set(failure);
        atServer++;
        context.fireChannelRead(request);
        context.fireChannelRead(new DefaultLastHttpContent(content));
        context.fireChannelReadComplete();
        proceed(context);
    }

    /** An exchange has failed in the middle of its response: only the end of the connection can tell the client. */
    void breaks(ChannelHandlerContext context) {
        exchange = null;
        exchanges.ended();
        context.close();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        if (message instanceof LastHttpContent && !interim) {
            atServer--;
        }
        context.write(message, promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean writable = context.channel().isWritable();
        if (exchange != null) {
            exchange.takes(writable);
        } else if (writable) {
            proceed(context);
        }
        context.fireChannelWritabilityChanged();
    }

    /** The server closes connections that it does not use, also while it ends; an exchange may come to its end first. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (exchange == null || broken) {
            context.close(promise);
        } else {
            closing = true;
            context.channel().closeFuture().addListener(closed -> promise.trySuccess());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        broken = true;
        context.fireExceptionCaught(failure);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forget();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        forget();
    }

    private void forget() {
        Exchange current = exchange;
        if (current != null) {
            exchange = null;
            current.cancel();
            exchanges.ended();
        }
        takeBody().release();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }
}
