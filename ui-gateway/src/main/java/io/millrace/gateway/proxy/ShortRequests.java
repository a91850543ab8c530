package io.millrace.gateway.proxy;

import io.millrace.access.Subject;
import io.millrace.accessspring.Authenticator;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.gateway.fastpath.FastPath;
import io.millrace.gateway.fastpath.Passage;
import io.millrace.gateway.fastpath.ServicePool;
import io.millrace.gateway.limits.ClientName;
import io.millrace.gateway.limits.FeedLimit;
import io.millrace.httpdoor.RequestMeters;
import io.millrace.webguard.WebGuard;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.support.Netty4HeadersAdapter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Lets requests take the fast path under the conditions, limits and time-outs under which {@link ForwardingHandler} passes them
 * on, except feeds.
 */
@Component
final class ShortRequests implements FastPath {

    private final Upstreams upstreams;
    private final WebGuard guard;
    private final Authenticator subjects;
    private final ClusterIdentity identity;
    private final RequestMeters meters;
    private final Duration idleTimeout;

    ShortRequests(
            Upstreams upstreams,
            WebGuard guard,
            Authenticator subjects,
            ClusterIdentity identity,
            RequestMeters meters,
            ProxySettings settings) {
        this.upstreams = upstreams;
        this.guard = guard;
        this.subjects = subjects;
        this.identity = identity;
        this.meters = meters;
        this.idleTimeout = settings.idleTimeout();
    }

    @Override
    public @Nullable Passage passage(ServerHttpRequest request) {
        Upstream upstream = upstreams.of(request);
        if (upstream == null || FeedLimit.isFeed(request) || !guard.passes(request)) {
            return null;
        }
        Optional<Subject> subject = subjects.known(request);
        return subject.isEmpty() ? null : new ToService(request, upstream, subject.get());
    }

    private final class ToService implements Passage {

        private final ServerHttpRequest request;
        private final Upstream upstream;
        private final Subject subject;

        ToService(ServerHttpRequest request, Upstream upstream, Subject subject) {
            this.request = request;
            this.upstream = upstream;
            this.subject = subject;
        }

        @Override
        public ServicePool service() {
            return upstream.pool();
        }

        @Override
        public void toService(HttpHeaders from, HttpHeaders to) {
            ForwardedHeaders.ofRequest(from, request, to);
            PassedSubject.set(identity, subject, to);
        }

        @Override
        public void toClient(HttpHeaders from, HttpHeaders to) {
            ForwardedHeaders.ofAnswer(from, to);
            WebGuard.protect(request, new org.springframework.http.HttpHeaders(new Netty4HeadersAdapter(to)));
        }

        @Override
        public Mono<Void> run(
                Mono<HttpResponse> call, Function<HttpResponse, Mono<Void>> response, IntSupplier status) {
            Mono<HttpResponse> reached = call.onErrorMap(failure -> new WebClientRequestException(
                    failure, request.getMethod(), request.getURI(), org.springframework.http.HttpHeaders.EMPTY));
            return Admissions.ofRequest(
                    upstream,
                    ClientName.of(request),
                    () -> status(status.getAsInt()),
                    Mono.defer(() ->
                            upstream.guard().guarded(reached, new Upload()).flatMap(response)));
        }

        @Override
        public Throwable broken(Throwable failure) {
            return upstream.guard().broken(failure);
        }

        @Override
        public @Nullable Duration pause(HttpResponse response) {
            return Proxy.isEventStream(response.headers().get(HttpHeaderNames.CONTENT_TYPE)) ? null : idleTimeout;
        }

        @Override
        public void ended(int status, SignalType end, @Nullable Throwable failure, long nanos) {
            meters.ended(upstream.pattern(), request.getMethod(), status(status), end, failure, nanos);
        }
    }

    private static @Nullable HttpStatusCode status(int status) {
        return status == 0 ? null : HttpStatusCode.valueOf(status);
    }
}
