package io.millrace.gateway.proxy;

import io.millrace.access.Subject;
import io.millrace.accessspring.Authenticator;
import io.millrace.gateway.fastpath.FastPathServer;
import io.millrace.httpdoor.RequestMeters;
import io.millrace.webguard.WebGuard;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Passes requests on in front of the filters, if guard and gate would let them through and have nothing to add: filters and
 * observations cost more than the passing on. All others go to the filters, which alone refuse, wait for a login, speak with
 * pages of other origins; {@link ForwardingFilter} is at their end.
 *
 * <p>The doors of all paths that are passed on are delegated to the services, so the gate has nothing to decide about them.
 */
@Component
final class ForwardingHandler implements HttpHandlerDecoratorFactory {

    private final Upstreams upstreams;
    private final Proxy proxy;
    private final WebGuard guard;
    private final Authenticator subjects;
    private final RequestMeters meters;
    private final PassedOnErrors errors;

    ForwardingHandler(
            Upstreams upstreams,
            Proxy proxy,
            WebGuard guard,
            Authenticator subjects,
            RequestMeters meters,
            PassedOnErrors errors) {
        this.upstreams = upstreams;
        this.proxy = proxy;
        this.guard = guard;
        this.subjects = subjects;
        this.meters = meters;
        this.errors = errors;
    }

    @Override
    public HttpHandler apply(HttpHandler filters) {
        return (request, response) -> {
            Upstream upstream = upstreams.of(request);
            if (upstream == null) {
                return filters.handle(request, response);
            }
            FastPathServer.Failed before = FastPathServer.failed(request);
            if (before != null) {
                return end(request, response, upstream, Mono.error(before.failure()), before.beganNanos());
            }
            if (!guard.passes(request)) {
                return filters.handle(request, response);
            }
            Optional<Subject> subject = subjects.known(request);
            return subject.isEmpty()
                    ? filters.handle(request, response)
                    : pass(request, response, upstream, subject.get());
        };
    }

    private Mono<Void> pass(
            ServerHttpRequest request, ServerHttpResponse response, Upstream upstream, Subject subject) {
        var passage = new Proxy.Passage(request, response, subject, () -> {});
        return end(request, response, upstream, proxy.pipe(passage, upstream), System.nanoTime());
    }

    /** Ends a request that is passed on, or was, with its response or with the problem that was in the way. */
    private Mono<Void> end(
            ServerHttpRequest request, ServerHttpResponse response, Upstream upstream, Mono<Void> passing, long began) {
        response.beforeCommit(() -> Mono.fromRunnable(() -> WebGuard.protect(request, response.getHeaders())));
        var failed = new Failure();
        return passing.then(Mono.defer(response::setComplete)) // which alone sends the response to HEAD
                .onErrorResume(failure -> {
                    failed.failure = failure;
                    // not within the signal of a broken connection, which would be signalled once more when the
                    // response ends
                    return errors.write(request, response, failure).subscribeOn(loopOf(request));
                })
                .doFinally(end -> meters.ended(
                        upstream.pattern(),
                        request.getMethod(),
                        response.getStatusCode(),
                        end,
                        failed.failure,
                        System.nanoTime() - began));
    }

    private static Scheduler loopOf(ServerHttpRequest request) {
        return Schedulers.fromExecutor(Connections.loopOf(ServerHttpRequestDecorator.getNativeRequest(request)));
    }

    /** Why a request could not be passed on. */
    private static final class Failure {
        private volatile @Nullable Throwable failure;
    }
}
