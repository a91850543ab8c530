package io.millrace.benchmarks.transactions;

import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What transactions have left in the documents of a bucket: attempts that have not ended, and their staged changes. A staged
 * change whose attempt is not recorded any more counts as rolled back: the SDK's readers skip it, and the next writer replaces it.
 */
final class Leftovers {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String ATTEMPT_OF_STAGED = "/txn/id/atmpt";
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
        List<Document> documents = documents();
        Map<String, String> attempts = new HashMap<>();
        for (Document document : documents) {
            attributes(document)
                    .forEach(found -> found.path(ATTEMPTS)
                            .propertyNames()
                            .forEach(attempt ->
                                    attempts.put(attempt, document.key().id())));
        }
        List<String> left = new ArrayList<>();
        attempts.forEach((attempt, record) -> left.add(record + " has attempt " + attempt + " that has not ended"));
        for (Document document : documents) {
            attributes(document)
                    .map(found -> found.at(ATTEMPT_OF_STAGED).asString(""))
                    .filter(attempts::containsKey)
                    .forEach(attempt -> left.add(document.key().id() + " has a staged change of attempt " + attempt));
        }
        return left;
    }

    private static Stream<JsonNode> attributes(Document document) {
        return Stream.of(Optional.ofNullable(document.userXattrs()), Optional.ofNullable(document.systemXattrs()))
                .flatMap(Optional::stream)
                .map(text -> JSON.readTree(new String(text, StandardCharsets.UTF_8)));
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
