package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.functions.UnfinishedNodes;
import io.millrace.eventing.http.peers.Peers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;

/** Asks each of the other nodes for its status of a function. */
@Component
final class PeerUnfinishedNodes implements UnfinishedNodes {

    private final Peers peers;

    PeerUnfinishedNodes(Peers peers) {
        this.peers = peers;
    }

    @Override
    public CompletableFuture<Found> of(FunctionName name, Instant since) {
        return peers.ask(HttpMethod.GET, StatusController.path(name), name, Map.of())
                .map(replies -> new Found(working(replies, since), Peers.Reply.missing(replies)))
                .toFuture();
    }

    private static List<String> working(List<Peers.Reply> replies, Instant since) {
        return Peers.Reply.answered(replies).stream()
                .filter(reply -> !Status.ended(reply.json(), since))
                .map(Peers.Reply::node)
                .toList();
    }
}
