package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import io.millrace.eventing.runtime.FunctionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The next change that a function would handle, as soon as its source has one. */
final class NextChange implements AutoCloseable {

    private static final int PAGE = 100;

    private final FunctionSpec spec;
    private final List<ChangeFeed> feeds = new ArrayList<>();
    private final CompletableFuture<Document> found = new CompletableFuture<>();

    private NextChange(FunctionSpec spec) {
        this.spec = spec;
    }

    /** Begins to wait for a change that is newer than all that there are now. Blocks until it does. */
    static NextChange of(FunctionSpec spec, DocumentStore documents) throws Exception {
        BucketInfo source = DryRunDocuments.source(spec, documents);
        NextChange next = new NextChange(spec);
        for (int shard = 0; shard < source.shards(); shard++) {
            long since = get(documents.highSeqno(source.name(), shard));
            next.feeds.add(documents.changes(source.name(), shard, since, vbucket -> true));
        }
        next.feeds.forEach(next::follow);
        return next;
    }

    private void follow(ChangeFeed feed) {
        feed.next(PAGE).whenComplete((mutations, failure) -> {
            if (failure != null) {
                found.completeExceptionally(failure);
                return;
            }
            mutations.stream()
                    .map(Mutation::document)
                    .filter(document -> DryRunDocuments.handled(spec, document))
                    .findFirst()
                    .ifPresent(found::complete);
            if (!found.isDone()) {
                follow(feed);
            }
        });
    }

    /** Completes with the state of the document; is cancelled by {@link #close}. */
    CompletableFuture<Document> found() {
        return found;
    }

    /** Ends the waiting. May be repeated. */
    @Override
    public void close() {
        found.cancel(false);
        feeds.forEach(ChangeFeed::close);
    }
}
