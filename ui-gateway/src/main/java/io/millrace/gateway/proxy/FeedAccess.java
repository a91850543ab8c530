package io.millrace.gateway.proxy;

import io.millrace.accessspring.Authenticator;
import io.millrace.gateway.GatewayException;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Ends feeds whose reader would not be let in again as who it was: logged out, deleted, with another password or other roles.
 * Services check a right once, when a feed begins; a feed may then stay open for days.
 */
@Component
final class FeedAccess {

    private final Authenticator authenticator;

    FeedAccess(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * Passes a feed on for as long as its reader has the access that it began with. Then it ends, as a feed may at any time: its
     * reader opens it again and is told why it cannot. One that has not begun is told at once.
     */
    Mono<Void> watched(Proxy.Passage passage, Mono<Void> feed) {
        Mono<Void> changed = authenticator
                .lost(passage.request(), passage.subject())
                .then(Mono.defer(() -> passage.response().isCommitted()
                        ? Mono.empty()
                        : Mono.error(GatewayException.accessChanged())));
        return Mono.firstWithSignal(feed, changed);
    }
}
