package io.millrace.gateway.fastpath;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.SignalType;

/**
 * One request on the fast path. The event loop of the client, which is also that of the connection to the service, makes all
 * calls; only time-outs come from elsewhere and are handed to it.
 *
 * <p>A response of a short, known length is sent in one call of the system; any other piece by piece, as fast
 * as the client takes it.
 */
final class Exchange implements ServiceConnection.Receiver {

    private final ClientConnection owner;
    private final ChannelHandlerContext client;
    private final HttpRequest request;
    private final ByteBuf body;
    private final Passage passage;
    private final long began = System.nanoTime();

    private @Nullable Disposable running;
    private @Nullable ServiceConnection service;
    private @Nullable MonoSink<HttpResponse> header;
    private @Nullable MonoSink<Void> response;
    private @Nullable HttpResponse whole;
    private ByteBuf gathered = Unpooled.EMPTY_BUFFER;
    private @Nullable Duration pause;
    private @Nullable Future<?> pauseWatch;
    private long latestNanos;
    private boolean ended;
    private boolean begun;
    private volatile int status;

    /** @param body is released by this exchange, or by who gets it in the end */
    Exchange(ClientConnection owner, ChannelHandlerContext client, HttpRequest request, ByteBuf body, Passage passage) {
        this.owner = owner;
        this.client = client;
        this.request = request;
        this.body = body;
        this.passage = passage;
    }

    void start() {
        Mono<HttpResponse> call = passage.service()
                .connection(client.channel().eventLoop())
                .flatMap(connection -> Mono.create(sink -> {
                    header = sink;
                    service = connection;
                    connection.send(outgoing(), this);
                }));
        running = passage.run(call, head -> Mono.create(sink -> response = sink), () -> status)
                .subscribe(nothing -> {}, failure -> inLoop(() -> failed(failure)), () -> inLoop(this::completed));
    }

    private void inLoop(Runnable end) {
        if (client.executor().inEventLoop()) {
            end.run();
        } else {
            client.executor().execute(end);
        }
    }

    private FullHttpRequest outgoing() {
        ServicePool pool = passage.service();
        FullHttpRequest outgoing = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, request.method(), pool.prefix() + request.uri(), body.retainedDuplicate());
        passage.toService(request.headers(), outgoing.headers());
        outgoing.headers().set(HttpHeaderNames.HOST, pool.authority());
        if (body.isReadable()) {
            HttpUtil.setContentLength(outgoing, body.readableBytes()); // else the service takes it for the next request
        }
        return outgoing;
    }

    @Override
    public void begins(HttpResponse head) {
        status = head.status().code();
        MonoSink<HttpResponse> sink = header;
        if (sink != null) {
            sink.success(head);
        }
        if (response == null) { // a time-out was first
            abandon();
            return;
        }
        pause = passage.pause(head);
        var passed = new DefaultHttpResponse(HttpVersion.HTTP_1_1, head.status());
        passage.toClient(head.headers(), passed.headers());
        if (isWhole(head)) {
            whole = passed;
            return;
        }
        if (!hasNoBody(head) && !HttpUtil.isContentLengthSet(passed)) {
            HttpUtil.setTransferEncodingChunked(passed, true);
        }
        begun = true;
        client.write(passed);
        watchPauses(pause);
    }

    private boolean isWhole(HttpResponse head) {
        if (hasNoBody(head)) {
            return true;
        }
        long length = HttpUtil.getContentLength(head, -1L);
        return length >= 0 && length <= FastPath.SHORT_BYTES;
    }

    private boolean hasNoBody(HttpResponse head) {
        return request.method().equals(HttpMethod.HEAD)
                || head.status().equals(HttpResponseStatus.NO_CONTENT)
                || head.status().equals(HttpResponseStatus.NOT_MODIFIED);
    }

    @Override
    public void gets(HttpContent piece) {
        latestNanos = System.nanoTime();
        boolean last = piece instanceof LastHttpContent;
        if (ended || response == null) {
            piece.release();
        } else if (whole == null) {
            client.write(piece);
            if (last) {
                client.flush();
                end();
            }
        } else {
            gather(piece.content());
            if (last) {
                begun = true;
                client.writeAndFlush(joined(whole));
                end();
            }
        }
    }

    private void gather(ByteBuf content) {
        if (!content.isReadable()) {
            content.release();
        } else if (gathered.isReadable()) {
            gathered = Unpooled.wrappedBuffer(gathered, content);
        } else {
            gathered = content;
        }
    }

    private DefaultFullHttpResponse joined(HttpResponse head) {
        ByteBuf content = gathered;
        gathered = Unpooled.EMPTY_BUFFER;
        HttpHeaders headers = head.headers();
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, head.status(), content, headers, EmptyHttpHeaders.INSTANCE);
    }

    private void end() {
        MonoSink<Void> sink = response;
        if (sink != null) {
            sink.success();
        }
    }

    @Override
    public void pauses() {
        if (whole != null && pauseWatch == null) { // most arrive whole, and need no watch
            watchPauses(pause);
        }
        if (begun) {
            client.flush();
            takes(client.channel().isWritable());
        }
    }

    /** The client takes more of the response, or no more for now. */
    void takes(boolean more) {
        if (begun && !ended && service != null && service.isUsedBy(this)) {
            service.reads(more);
        }
    }

    @Override
    public void fails(IOException failure) {
        service = null;
        if (response != null) {
            response.error(begun ? failure : passage.broken(failure));
        } else if (header != null) {
            header.error(failure);
        }
    }

    /** The client has gone. */
    void cancel() {
        if (!ended) {
            Disposable current = running;
            if (current != null) {
                current.dispose();
            }
            finish();
            body.release();
            passage.ended(status, SignalType.CANCEL, null, System.nanoTime() - began);
        }
    }

    private void completed() {
        if (!ended) {
            finish();
            body.release();
            passage.ended(status, SignalType.ON_COMPLETE, null, System.nanoTime() - began);
            owner.ended(client);
        }
    }

    private void failed(Throwable failure) {
        if (ended) {
            return;
        }
        finish();
        if (begun) {
            body.release();
            passage.ended(status, SignalType.ON_ERROR, failure, System.nanoTime() - began);
            owner.breaks(client);
        } else {
            owner.failed(client, request, body, new FastPathServer.Failed(failure, began));
        }
    }

    private void finish() {
        ended = true;
        if (pauseWatch != null) {
            pauseWatch.cancel(false);
        }
        gathered.release();
        gathered = Unpooled.EMPTY_BUFFER;
        abandon();
    }

    /** Closes the connection to the service if the response has not come to its end. */
    private void abandon() {
        ServiceConnection used = service;
        service = null;
        if (used != null && used.isUsedBy(this)) {
            used.close();
        }
    }

    private void watchPauses(@Nullable Duration longest) {
        if (longest == null) {
            return;
        }
        latestNanos = System.nanoTime();
        look(longest.toNanos());
    }

    private void look(long longest) {
        long left = longest - (System.nanoTime() - latestNanos);
        if (left <= 0) {
            var late = new TimeoutException("The response has paused for too long");
            failed(begun ? late : passage.broken(late));
            return;
        }
        pauseWatch = client.executor().schedule(() -> look(longest), left, TimeUnit.NANOSECONDS);
    }
}
