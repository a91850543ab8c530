package io.millrace.gateway.proxy;

import io.millrace.accessspring.Authenticator;
import io.millrace.gateway.GatewayException;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends feeds whose reader would not be let in again as who it was: logged out, deleted, with another password or other roles.
 * Services check a right once, when a feed begins; a feed may then stay open for days.
 */
@Component
final class FeedAccess {

    /** A look is a signature or a fast hash, for each open feed. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final Authenticator authenticator;

    FeedAccess(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * Passes a feed on for as long as its reader has the access that it began with. Then it ends, as a feed may at any time: its
     * reader opens it again and is told why it cannot. One that has not begun is told at once.
     */
    Mono<Void> watched(Proxy.Passage passage, Mono<Void> feed) {
        Mono<Void> changed = Flux.interval(PAUSE)
                .onBackpressureDrop()
                .concatMap(look -> authenticator.holds(passage.request(), passage.subject()), 1)
                .filter(holds -> !holds)
                .next()
                .flatMap(lost ->
                        passage.response().isCommitted() ? Mono.empty() : Mono.error(GatewayException.accessChanged()));
        return Mono.firstWithSignal(feed, changed);
    }
}
