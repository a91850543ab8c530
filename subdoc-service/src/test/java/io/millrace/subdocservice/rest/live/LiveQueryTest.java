package io.millrace.subdocservice.rest.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.n1ql.DocumentCondition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

/** The walk of one live query, piece by piece. */
class LiveQueryTest {

    private static final Keyspace KEYSPACE = Keyspace.of("b");
    private static final Duration SHORT = Duration.ofMillis(50);

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final LiveFilter filter = new LiveFilter(DocumentCondition.of("n > 1"));
    private final Queue<Runnable> pauses = new ConcurrentLinkedQueue<>();
    private final LiveTurns turns = new LiveTurns(() -> 0, pauses::add);
    private volatile boolean there = true;

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    private LiveQuery query(LivePosition begin) {
        return new LiveQuery(
                KEYSPACE,
                BucketChanges.ofSingleShard(store, "b"),
                filter,
                turns,
                begin,
                HeldBytes.of(MockServerWebExchange.from(MockServerHttpRequest.get("/"))),
                () -> CompletableFuture.completedFuture(there),
                SHORT);
    }

    private void put(String id, int n) {
        store.write(Write.upsert(key(id), "{\"n\":%d}".formatted(n).getBytes(StandardCharsets.UTF_8)))
                .join();
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(KEYSPACE, id);
    }

    private long high() {
        return store.highSeqno("b", 0).join();
    }

    private static String next(LiveQuery query) {
        return new String(Objects.requireNonNull(query.next()), StandardCharsets.UTF_8);
    }

    /** Returns the kinds and documents of the next events up to the one that a query has caught up. */
    private static List<String> untilCaughtUp(LiveQuery query) {
        List<String> seen = new ArrayList<>();
        while (true) {
            for (String event : next(query).split("\n\n")) {
                if (event.startsWith("event: caught-up")) {
                    return seen;
                }
                if (event.startsWith("event: ")) {
                    seen.add(event.replaceAll("(?s)event: (\\S+)\n.*\"id\":\"(.*?)\".*", "$1 $2"));
                }
            }
        }
    }

    @Test
    void firstDocuments_areMatches_andLaterOnesEnter() {
        put("a", 2);
        put("b", 1);
        LivePosition begin = new LivePosition(0, 0, high());
        put("c", 2);

        assertThat(untilCaughtUp(query(begin))).containsExactly("match a", "enter c");
    }

    @Test
    void caughtUp_sendsInItsTurn() {
        LiveQuery query = query(new LivePosition(0, 0, high()));
        untilCaughtUp(query);
        List<CompletableFuture<Void>> others =
                Stream.generate(turns::next).limit(LiveLimits.QUERIES_AT_ONCE).toList();
        assertThat(others).allMatch(CompletableFuture::isDone);
        put("a", 2);

        CompletableFuture<String> sent = CompletableFuture.supplyAsync(() -> next(query));

        await().until(() -> pauses.size() == 1);
        assertThat(sent).isNotDone();
        pauses.remove().run();
        assertThat(sent.join()).contains("event: enter");
    }

    @Test
    void id_namesThePlaceInTheFirstDocumentsUntilTheyAreSent() {
        put("a", 2);
        put("b", 2);

        assertThat(next(query(new LivePosition(0, 0, high()))))
                .contains("id: 0.1.2\ndata: {\"id\":\"a\"")
                .contains("id: 0.2\ndata: {\"id\":\"b\"");
    }

    @Test
    void continued_inTheFirstDocuments_doesNotReportThoseThatDoNotMatch() {
        put("a", 2);
        put("b", 1);
        put("c", 2);

        assertThat(untilCaughtUp(query(new LivePosition(0, 1, 3)))).containsExactly("match c");
    }

    @Test
    void continued_knowsWhatHasNotChanged_andSaysOfTheRestThatItLeaves() {
        put("a", 2);
        put("b", 2);
        put("c", 1);
        long position = high();
        put("b", 1);
        put("d", 2);
        LiveQuery query = query(new LivePosition(0, position, position));

        assertThat(untilCaughtUp(query)).containsExactly("leave b", "enter d");
        put("a", 3);
        put("c", 0);
        assertThat(next(query))
                .startsWith("event: change")
                .contains("\"id\":\"a\"")
                .doesNotContain("\"id\":\"c\"");
    }

    @Test
    void quietQuery_sendsHeartbeats_untilItsCollectionIsGone() {
        LiveQuery query = query(new LivePosition(0, 0, 0));
        untilCaughtUp(query);

        assertThat(next(query)).isEqualTo(": alive\n\n");
        there = false;
        assertThat(next(query)).startsWith("event: end\ndata: {").contains("\"code\":\"history_lost\"");
        assertThat(query.next()).isNull();
    }

    @Test
    void closedQuery_ends() {
        LiveQuery query = query(new LivePosition(0, 0, 0));
        untilCaughtUp(query);
        query.close();

        assertThat(query.next()).isNull();
    }

    @Test
    void tooManyMatches_endTheQuery() {
        for (int i = 0; i <= LiveLimits.MAX_MATCHES; i++) {
            put("id" + i, 2);
        }
        LiveQuery query = query(new LivePosition(0, 0, 0));
        String last = "";
        for (byte[] piece = query.next(); piece != null; piece = query.next()) {
            last = new String(piece, StandardCharsets.UTF_8);
        }

        assertThat(last).startsWith("event: end\n").contains("too_many_matches", "100,000");
    }
}
