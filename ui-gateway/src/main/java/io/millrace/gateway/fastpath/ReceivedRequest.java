package io.millrace.gateway.fastpath;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.http.support.Netty4HeadersAdapter;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/** The header of a request as guard and gate read it. Has neither cookies nor a body: requests with cookies are not for the fast path. */
final class ReceivedRequest extends AbstractServerHttpRequest {

    private final Channel client;
    private final HttpRequest received;

    private ReceivedRequest(Channel client, HttpRequest received, URI uri) {
        super(
                HttpMethod.valueOf(received.method().name()),
                uri,
                "",
                new HttpHeaders(new Netty4HeadersAdapter(received.headers())));
        this.client = client;
        this.received = received;
    }

    /** Returns null for a request whose target or host is not an ordinary one. */
    static @Nullable ReceivedRequest of(Channel client, HttpRequest received) {
        String target = received.uri();
        String host = received.headers().get(HttpHeaderNames.HOST);
        if (host == null || !target.startsWith("/") || target.startsWith("//")) {
            return null;
        }
        String scheme = client.pipeline().get(SslHandler.class) == null ? "http" : "https";
        try {
            URI uri = new URI(scheme + "://" + host + target);
            boolean ordinary = host.equals(uri.getRawAuthority()) && uri.getRawFragment() == null;
            return ordinary ? new ReceivedRequest(client, received, uri) : null;
        } catch (URISyntaxException e) {
            return null; // the server says what is wrong with it
        }
    }

    @Override
    public @Nullable InetSocketAddress getRemoteAddress() {
        return client.remoteAddress() instanceof InetSocketAddress address ? address : null;
    }

    @Override
    public @Nullable InetSocketAddress getLocalAddress() {
        return client.localAddress() instanceof InetSocketAddress address ? address : null;
    }

    @Override
    protected MultiValueMap<String, HttpCookie> initCookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    protected @Nullable SslInfo initSslInfo() {
        return null;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.empty();
    }

    @Override
    @SuppressWarnings("unchecked") // as the interface asks for
    public <T> T getNativeRequest() {
        return (T) received;
    }
}
