package io.millrace.benchmarks.transactions;

import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What transactions have left in the documents of a bucket: staged changes, and attempts that have not ended. */
final class Leftovers {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String STAGED = "txn";
    private static final String ATTEMPTS = "attempts";
    private static final int PAGE = 1000;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final DocumentStore store;

    Leftovers(DocumentStore store) {
        this.store = store;
    }

    /** Waits until there are none; returns those that were left after this time. */
    List<String> await(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        List<String> left = find();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK.toNanos());
            left = find();
        }
        return left;
    }

    /** Returns the sum of all accounts, by documents alone. */
    int sum() {
        return documents().stream()
                .filter(document -> document.key().id().startsWith("account-"))
                .mapToInt(document ->
                        JSON.readTree(document.body()).path(Accounts.FIELD).asInt())
                .sum();
    }

    private List<String> find() {
        List<String> left = new ArrayList<>();
        for (Document document : documents()) {
            describe(left, document, document.userXattrs());
            describe(left, document, document.systemXattrs());
        }
        return left;
    }

    private static void describe(List<String> left, Document document, byte @Nullable [] xattrs) {
        if (xattrs == null) {
            return;
        }
        JsonNode attributes = JSON.readTree(new String(xattrs, StandardCharsets.UTF_8));
        if (attributes.has(STAGED)) {
            left.add(document.key().id() + " has a staged change");
        }
        if (!attributes.path(ATTEMPTS).isEmpty()) {
            left.add(document.key().id() + " has attempts that have not ended");
        }
    }

    private List<Document> documents() {
        List<Document> all = new ArrayList<>();
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            page = store.page(Accounts.BUCKET, 0, new ChangePage.Request(page.position(), false, PAGE, true))
                    .join();
            page.mutations().stream()
                    .map(Mutation::document)
                    .filter(document -> document.state() == Document.State.LIVE)
                    .forEach(all::add);
        }
        return all;
    }
}
