package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.subdocservice.ClosedService;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Feeds that were opened at the service itself, without the gateway, while the rights of their readers change. */
class FeedAccessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final List<Role> READER = Role.parseAll("bucket_full_access[orders]");
    private static final User ANN = User.create("ann", "Ann", READER, "right horse");
    private static final User BOB = User.create("bob", "Bob", READER, "battery staple");
    private static final String ANNS_LOGIN = basic("ann", "right horse");
    private static final String BOBS_LOGIN = basic("bob", "battery staple");

    /** Each sends what there is at once, and does not end by itself. */
    private static final List<String> FEEDS = List.of(
            "/couch/orders/_changes?feed=continuous&heartbeat=60000",
            "/couch/orders/_changes?feed=eventsource&heartbeat=60000",
            "/api/v1/buckets/orders/live",
            "/api/v1/buckets/orders/scopes/_default/collections/_default/live",
            "/pools/default/bs/orders");

    @TempDir
    private static Path directory;

    private static ConfigurableApplicationContext service;
    private static UserDirectory users;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws IOException {
        service = ClosedService.start(directory);
        DocumentStore store = service.getBean(DocumentStore.class);
        store.catalog().createBucket("orders", 1).join();
        store.write(Write.upsert(new DocumentKey(Keyspace.of("orders"), "o1"), "{}".getBytes(StandardCharsets.UTF_8)))
                .join();
        users = service.getBean(UserDirectory.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void begin() {
        users.save(ANN).block(PATIENCE);
        users.save(BOB).block(PATIENCE);
        await().atMost(PATIENCE)
                .until(() -> users.ready()
                        && users.find("ann").isPresent()
                        && users.find("bob").isPresent());
    }

    @AfterEach
    void end() {
        http.shutdownNow();
        http.close();
    }

    @Test
    void feeds_endWithTheAccess_andThoseOfOthersStayOpen() throws Exception {
        List<CompletableFuture<Void>> ofAnn = follow(ANNS_LOGIN);
        List<CompletableFuture<Void>> ofBob = follow(BOBS_LOGIN);

        users.delete("ann").block(PATIENCE);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(ofAnn).allSatisfy(feed -> assertThat(feed).isCompleted()));
        assertThat(ofBob).noneMatch(CompletableFuture::isDone);
    }

    /** Opens every feed; returns them when each has begun. */
    private List<CompletableFuture<Void>> follow(String login) {
        return FEEDS.stream().map(feed -> follow(feed, login)).toList();
    }

    private CompletableFuture<Void> follow(String feed, String login) {
        HttpResponse<InputStream> begun = http.sendAsync(
                        request(feed, login), HttpResponse.BodyHandlers.ofInputStream())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        assertThat(begun.statusCode()).as(feed).isEqualTo(200);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try (InputStream body = begun.body()) {
                body.transferTo(OutputStream.nullOutputStream());
                ended.complete(null);
            } catch (IOException e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    private static HttpRequest request(String path, String login) {
        return HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + path))
                .header("Authorization", login)
                .build();
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
}
