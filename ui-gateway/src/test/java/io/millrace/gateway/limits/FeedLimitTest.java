package io.millrace.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

/** A feed that is not taken for one stays open when its reader loses access. */
class FeedLimitTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/buckets/b/live",
                "/api/v1/buckets/b/%6Cive",
                "/api/v1/buckets/b/live;a=b",
                "/api/v1/buckets/b/scopes/s/collections/c/live?where=x",
                "/api/v1/topics/t",
                "/api/v1/%74opics/t",
                "/api/v1/functions/f/log",
                "/couch/db/_changes?feed=continuous",
                "/couch/db/%5Fchanges?feed=longpoll",
                "/couch/db/_changes?feed=normal&feed=continuous",
                "/couch/db/_changes?feed=EventSource",
                "/couch/db/_changes/?Feed=continuous",
                "/couch/db/_changes/x?feed=continuous",
                "/couch//db///_changes?feed=continuous"
            })
    void feeds(String path) {
        assertThat(isFeed(path, "*/*")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/buckets/b/docs/live",
                "/api/v1/topics",
                "/api/v1/functions/f",
                "/couch/db/_changes",
                "/couch/db/_changes?feed=normal&feed=NORMAL",
                "/couch/db/a%2F_changes?feed=continuous",
                "/fn/log"
            })
    void otherRequests(String path) {
        assertThat(isFeed(path, "*/*")).isFalse();
    }

    @Test
    void requestForEvents_isAFeed_whateverItsPath() {
        assertThat(isFeed("/api/v1/streams/s", "application/json, TEXT/event-stream"))
                .isTrue();
    }

    private static boolean isFeed(String path, String accept) {
        return FeedLimit.isFeed(MockServerHttpRequest.method(HttpMethod.GET, URI.create("http://gateway" + path))
                .header("Accept", accept)
                .build());
    }
}
