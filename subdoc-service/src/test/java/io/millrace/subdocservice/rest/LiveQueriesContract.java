package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.subdocservice.rest.RestServer.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Live queries over HTTP. */
abstract class LiveQueriesContract extends RestContract {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CAUGHT_UP = "caught-up";

    private LiveClient open(String filter) {
        return new LiveClient(http.port(), bucketPath(), filter).connect();
    }

    private static void awaitEvents(LiveClient client, String... expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(client.events).containsExactly(expected));
    }

    @Test
    void changes_followTheFirstDocuments() {
        http.put(doc("a"), "{\"type\": \"order\", \"total\": 150}");
        http.put(doc("b"), "{\"type\": \"order\", \"total\": 50}");
        try (LiveClient client = open("type = \"order\" AND total > 100")) {
            awaitEvents(client, "match a", CAUGHT_UP);

            http.put(doc("b"), "{\"type\": \"order\", \"total\": 101}");
            awaitEvents(client, "match a", CAUGHT_UP, "enter b");
            http.put(doc("a"), "{\"type\": \"order\",\n \"total\": 200}");
            awaitEvents(client, "match a", CAUGHT_UP, "enter b", "change a");
            assertThat(client.documents.get("a")).hasToString("{\"type\":\"order\",\"total\":200}");
            http.put(doc("a"), "{\"type\": \"offer\"}");
            awaitEvents(client, "match a", CAUGHT_UP, "enter b", "change a", "leave a unmatched");
            http.put(doc("c"), "{\"type\": \"offer\"}");
            http.delete(doc("b"));
            awaitEvents(client, "match a", CAUGHT_UP, "enter b", "change a", "leave a unmatched", "leave b deleted");
            assertThat(client.documents).isEmpty();
        }
    }

    @Test
    void cutOffClient_continues() {
        http.put(doc("a"), "{\"n\": 2}");
        http.put(doc("b"), "{\"n\": 2}");
        http.put(doc("c"), "{\"n\": 2}");
        try (LiveClient client = open("n > 1")) {
            awaitEvents(client, "match a", "match b", "match c", CAUGHT_UP);
            client.cut();
            client.events.clear();
            http.put(doc("b"), "{\"n\": 0}");
            http.delete(doc("c"));
            http.put(doc("d"), "{\"n\": 3}");

            client.connect();

            awaitEvents(client, "leave b unmatched", "leave c deleted", "enter d", CAUGHT_UP);
            http.put(doc("a"), "{\"n\": 3}");
            awaitEvents(client, "leave b unmatched", "leave c deleted", "enter d", CAUGHT_UP, "change a");
            assertThat(client.documents.keySet()).containsExactlyInAnyOrder("a", "d");
        }
    }

    @Test
    void collection_isFollowedAlone() {
        http.put(bucketPath() + "/scopes/s", "");
        String carts = bucketPath() + "/scopes/s/collections/carts";
        http.put(carts, "");
        http.put(doc("other"), "{}");
        http.put(carts + "/docs/a", "{}");
        try (LiveClient client = new LiveClient(http.port(), carts, "").connect()) {
            awaitEvents(client, "match a", CAUGHT_UP);
        }
    }

    @Test
    void mistakes_areRefused() {
        Answer syntax = http.get(bucketPath() + "/live?filter=total%20%3E");
        assertThat(syntax.error()).isEqualTo("400 invalid_parameter");
        assertThat(syntax.text()).contains("line 1, column 8");
        assertThat(http.get(bucketPath() + "/live?filter=NOW_MILLIS()%20%3E%201")
                        .error())
                .isEqualTo("400 invalid_parameter");
        Answer old = http.get(bucketPath() + "/live?filter=META().old.total%20%3E%201");
        assertThat(old.error()).isEqualTo("400 invalid_parameter");
        assertThat(old.text()).contains("enter, change and leave");
        assertThat(http.get("/api/v1/buckets/absent/live").error()).isEqualTo("404 bucket_not_found");
        assertThat(http.get(bucketPath() + "/scopes/_default/collections/absent/live")
                        .error())
                .isEqualTo("404 collection_not_found");
        assertThat(http.get(bucketPath() + "/live", "Last-Event-ID", "x").error())
                .isEqualTo("400 invalid_header");
        assertThat(http.get(bucketPath() + "/live?since=x").error()).isEqualTo("400 invalid_header");
        assertThat(http.head(bucketPath() + "/live").status()).isEqualTo(200);
    }

    @Test
    void idsOfOtherHistories_areGone() {
        assertThat(http.get(bucketPath() + "/live", "Last-Event-ID", "0.99").error())
                .isEqualTo("410 history_lost");
        assertThat(http.get(bucketPath() + "/live", "Last-Event-ID", "77.0").error())
                .isEqualTo("410 history_lost");
        assertThat(http.get(bucketPath() + "/live?since=77.0").error()).isEqualTo("410 history_lost");
        assertThat(http.get(bucketPath() + "/live?since=0.0", "Last-Event-ID", "77.0")
                        .error())
                .as("the header counts more")
                .isEqualTo("410 history_lost");
    }
}
