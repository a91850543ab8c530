package io.millrace.eventing.producer;

import io.millrace.documents.Document;
import io.millrace.documents.Mutation;
import io.millrace.documents.redis.RedisDocumentStore;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Watches whether the numbers in documents, which only grow where they come from, grow in a bucket too. */
final class StepsBack {

    private StepsBack() {}

    /** Follows a bucket until it is told to end, and collects every step back that a document takes. */
    static List<String> watch(RedisDocumentStore documents, String bucket, BooleanSupplier ended) {
        List<String> stepsBack = new CopyOnWriteArrayList<>();
        Thread.ofVirtual().start(() -> {
            Map<String, Integer> last = new HashMap<>();
            var feed = documents.changes(bucket, 0, 0);
            while (!ended.getAsBoolean()) {
                List<Mutation> page;
                try {
                    page = feed.next(100).join();
                } catch (CompletionException e) {
                    LockSupport.parkNanos(10_000_000L); // Redis is away, or was and cannot say that it lost nothing
                    feed = documents.changes(bucket, 0, 0);
                    continue;
                }
                if (page.isEmpty()) {
                    return;
                }
                for (Mutation mutation : page) {
                    int n = number(mutation.document());
                    Integer before = last.put(mutation.document().key().id(), n);
                    if (before != null && before > n) {
                        stepsBack.add(mutation.document().key().id() + " from " + before + " to " + n);
                    }
                }
            }
        });
        return stepsBack;
    }

    /** Returns the number that is in a document. */
    static int number(Document document) {
        return Integer.parseInt(new String(document.body(), StandardCharsets.UTF_8).replaceAll("[^0-9]", ""));
    }
}
