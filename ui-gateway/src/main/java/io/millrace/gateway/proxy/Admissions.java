package io.millrace.gateway.proxy;

import io.millrace.gateway.GatewayException;
import io.millrace.gateway.GatewayException.Code;
import io.millrace.gateway.limits.InFlightLimit.Admission;
import io.millrace.gateway.limits.InFlightLimit.Outcome;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import reactor.core.publisher.Mono;

/** Runs calls within the limits of their service, or refuses them at once. */
final class Admissions {

    private static final Duration SOON = Duration.ofSeconds(1);

    /** A feed is open for long, so there is no point in trying again at once. */
    private static final Duration LATER = Duration.ofSeconds(10);

    private Admissions() {}

    /** Runs a call that ends with its response. */
    static Mono<Void> ofRequest(
            Upstream upstream, String client, Supplier<@Nullable HttpStatusCode> status, Mono<Void> call) {
        return Mono.defer(() -> {
            Admission admission = upstream.inFlight().enter(client);
            if (admission != Admission.ADMITTED) {
                return Mono.error(tooManyRequests(upstream, admission));
            }
            return call.doOnEach(signal -> {
                        if (signal.isOnComplete() || signal.isOnError()) {
                            Outcome outcome = outcome(status.get(), signal.getThrowable());
                            upstream.inFlight().observe(outcome);
                        }
                    })
                    .doFinally(end -> upstream.inFlight().leave(client));
        });
    }

    /** Runs a call that stays open. */
    static Mono<Void> ofFeed(Upstream upstream, String client, Mono<Void> call) {
        return Mono.defer(() -> upstream.openFeeds().enter(client)
                ? call.doFinally(end -> upstream.openFeeds().leave(client))
                : Mono.error(tooManyFeeds(upstream)));
    }

    private static Outcome outcome(@Nullable HttpStatusCode status, @Nullable Throwable failure) {
        if (failure instanceof GatewayException known) {
            return known.code() == Code.UPSTREAM_TIMEOUT ? Outcome.OVERLOADED : Outcome.UNKNOWN;
        }
        if (failure != null || status == null) {
            return Outcome.UNKNOWN;
        }
        return status.isSameCodeAs(HttpStatus.SERVICE_UNAVAILABLE) || status.isSameCodeAs(HttpStatus.TOO_MANY_REQUESTS)
                ? Outcome.OVERLOADED
                : Outcome.SUCCESS;
    }

    private static GatewayException tooManyRequests(Upstream upstream, Admission admission) {
        String detail = admission == Admission.CLIENT_FULL
                ? "This client has %d requests to %s in flight, its share of what the service can take now."
                        .formatted(upstream.inFlight().share(), upstream.name())
                : "%s has %d requests in flight, as many as it can take now."
                        .formatted(upstream.name(), upstream.inFlight().limit());
        return GatewayException.tooMany(
                Code.TOO_MANY_REQUESTS,
                upstream.name(),
                detail + " This one was not carried out.",
                "Wait for responses before you send more, and repeat the request after the time in Retry-After.",
                SOON);
    }

    private static GatewayException tooManyFeeds(Upstream upstream) {
        return GatewayException.tooMany(
                Code.TOO_MANY_FEEDS,
                upstream.name(),
                "Too many feeds of %s are open, in all or for this client.".formatted(upstream.name()),
                "Close feeds that you do not read, share one between readers, or raise"
                        + " MILLRACE_GATEWAY_MAXFEEDSPERCLIENT.",
                LATER);
    }
}
