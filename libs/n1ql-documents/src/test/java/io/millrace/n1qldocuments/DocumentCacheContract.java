package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Branch;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.value.Value;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements with documents that are kept from one statement to the next. */
abstract class DocumentCacheContract {

    private static final int DOCUMENTS = 300;

    /** The first documents of a statement are read one by one. */
    private static final int ALWAYS_READ = 17;

    private static final List<String> SHAPES = List.of(
            "{\"r\":1,\"s\":{\"r\":[2]},\"t\":\"r\"}", " { } ", "[{\"r\":1}]", "\"r\"", "7", "{\"r\":1,\"r\":2}\n");

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final String bucket = StoreKit.uniqueBucket();
    private final AtomicInteger gets = new AtomicInteger();
    private final DocumentCache cache = new DocumentCache(1 << 20, clock);
    private volatile Branch branch = Branch.NONE;
    private volatile @Nullable CompletableFuture<Void> held;
    private DocumentStore store;
    private DocumentStore watched;
    private QueryEngine engine;
    private QueryEngine plain;

    protected abstract DocumentStore open(StoreKit.Clock time);

    @BeforeEach
    void fill() {
        store = open(clock);
        watched = watched();
        StoreKit.await(store.catalog().createBucket(bucket, 2));
        engine = engine(cache);
        plain = engine(null);
        rows(plain, "CREATE PRIMARY INDEX ON t");
        for (int i = 0; i < DOCUMENTS; i++) {
            put(i, "{\"n\":" + i + "}");
        }
    }

    private QueryEngine engine(@Nullable DocumentCache by) {
        return new QueryEngine(new DocumentKeyspaces(watched, name -> true, () -> null, ReadRoom.UNLIMITED, by), clock);
    }

    /** Counts reads of documents, holds their answers, and says where the history branched. */
    private DocumentStore watched() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, args) -> {
                    Object answer = method.invoke(store, args);
                    return switch (method.getName()) {
                        case "get" -> counted((CompletableFuture<?>) answer);
                        case "branch" ->
                            ((CompletableFuture<?>) answer).thenApply(real -> branch == Branch.NONE ? real : branch);
                        default -> answer;
                    };
                });
    }

    private CompletableFuture<?> counted(CompletableFuture<?> answer) {
        gets.incrementAndGet();
        CompletableFuture<Void> until = held;
        return until == null ? answer : answer.thenCombine(until, (found, done) -> found);
    }

    private DocumentKey key(int number) {
        return new DocumentKey(Keyspace.of(bucket), "k%04d".formatted(number));
    }

    private void put(int number, String body) {
        StoreKit.await(store.write(Write.upsert(key(number), StoreKit.bytes(body))));
    }

    private List<String> rows(QueryEngine by, String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = by.execute(onBucket(statement), QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    private String onBucket(String statement) {
        return statement.replaceAll("FROM t$", "FROM `" + bucket + "` t").replaceAll("ON t$", "ON `" + bucket + "`");
    }

    private int reads(QueryEngine by) {
        int before = gets.get();
        assertThat(rows(by, "SELECT RAW t FROM t")).isEqualTo(rows(plain, "SELECT RAW t FROM t"));
        return gets.get() - before - documents();
    }

    private int documents() {
        return Integer.parseInt(rows(plain, "SELECT RAW COUNT(*) FROM t").getFirst());
    }

    @Test
    void documentsThatHaveNotChanged_areNotReadAgain() {
        assertThat(reads(engine)).isEqualTo(DOCUMENTS);
        assertThat(reads(engine)).isEqualTo(ALWAYS_READ);

        put(200, "{\"changed\":1}");
        put(DOCUMENTS, "{\"added\":1}");
        StoreKit.await(store.write(Write.remove(key(100))));

        assertThat(reads(engine)).isEqualTo(ALWAYS_READ + 2);
        assertThat(reads(engine)).isEqualTo(ALWAYS_READ);
    }

    @Test
    void documentThatIsDue_isGone() {
        StoreKit.await(store.write(Write.upsert(key(250), StoreKit.bytes("{\"due\":1}"))
                .withExpiry(new Expiry.At(clock.instant().plusSeconds(60)))));
        reads(engine);

        clock.advance(Duration.ofSeconds(61));

        assertThat(rows(engine, "SELECT RAW t FROM t")).hasSize(DOCUMENTS - 1).noneMatch(row -> row.contains("due"));
    }

    @Test
    void otherHistory_isReadAgain() {
        reads(engine);

        branch = new Branch(1L << 40, 7, "another run");

        assertThat(reads(engine)).isEqualTo(DOCUMENTS);
        assertThat(reads(engine)).isEqualTo(ALWAYS_READ);
    }

    @Test
    void bucketThatIsMadeAgain_isReadAgain() {
        reads(engine);

        StoreKit.await(store.catalog().dropBucket(bucket));
        StoreKit.await(store.catalog().createBucket(bucket, 2));
        rows(plain, "CREATE PRIMARY INDEX ON t");
        for (int i = 0; i < DOCUMENTS; i++) {
            put(i, "{\"again\":" + i + "}");
        }

        assertThat(reads(engine)).isEqualTo(DOCUMENTS);
    }

    /** More changes of a shard than are looked at one by one, those of the documents that are kept at the end. */
    @Test
    void manyChanges_areRead() {
        reads(engine);

        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = DOCUMENTS + 2500; i >= 0; i--) {
            writes.add(store.write(Write.upsert(key(i), StoreKit.bytes("{\"many\":" + i + "}"))));
        }
        writes.forEach(StoreKit::await);

        assertThat(reads(engine)).isEqualTo(documents());
    }

    /** What was read before a change may come after the change was looked for. */
    @Test
    void documentThatChangesWhileItIsRead_isNotKept() {
        CachedCollection.View first = view();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        held = gate;
        CompletableFuture<Fetched> slow = read(first);
        held = null;
        put(5, "{\"new\":1}");
        view();

        gate.complete(null);

        assertThat(body(slow)).isEqualTo("{\"n\":5}");
        assertThat(body(read(view()))).isEqualTo("{\"new\":1}");
    }

    private CompletableFuture<Fetched> read(CachedCollection.View view) {
        CountedReads reads = new CountedReads(ReadRoom.UNLIMITED);
        view.read(key(5).id(), reads);
        return reads.fetched();
    }

    private CachedCollection.View view() {
        var info = StoreKit.await(store.catalog().find(bucket)).orElseThrow();
        var made = cache.view(watched, info, Keyspace.of(bucket));
        assertThat(made).isNotNull();
        return StoreKit.await(made);
    }

    private static String body(CompletableFuture<Fetched> read) {
        StoredDocument document = StoreKit.await(read).documents().getFirst();
        return new String(Objects.requireNonNull(document).body(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void room_isThatOfTheCollectionReadLast() {
        DocumentCache small = new DocumentCache(100_000, clock);
        QueryEngine by = engine(small);
        StoreKit.await(store.catalog().createCollection(new Keyspace(bucket, "_default", "other")));
        rows(plain, "CREATE PRIMARY INDEX ON `" + bucket + "`._default.other");
        for (int i = 0; i < DOCUMENTS; i++) {
            StoreKit.await(store.write(Write.upsert(
                    new DocumentKey(new Keyspace(bucket, "_default", "other"), "o" + i),
                    StoreKit.bytes("{\"other\":" + i + "}"))));
        }
        rows(by, "SELECT RAW t FROM t");
        assertThat(small.bytes()).isBetween(90_000L, 100_000L);

        assertThat(rows(by, "SELECT RAW o FROM `" + bucket + "`._default.other o"))
                .hasSize(DOCUMENTS);
        assertThat(small.bytes()).isBetween(90_000L, 100_000L);
        assertThat(reads(by)).as("another collection has the room").isEqualTo(DOCUMENTS);
    }

    @Test
    void randomChanges_areSeenByTheNextStatement() {
        Random random = new Random(7);
        for (int round = 0; round < 60; round++) {
            for (int i = random.nextInt(4); i > 0; i--) {
                int number = random.nextInt(DOCUMENTS + 20);
                switch (random.nextInt(4)) {
                    case 0 -> StoreKit.await(store.write(Write.remove(key(number))));
                    case 1 ->
                        rows(engine, "UPDATE `" + bucket + "` USE KEYS 'k%04d' SET u = %d".formatted(number, round));
                    case 2 ->
                        StoreKit.await(store.write(Write.upsert(key(number), StoreKit.bytes("{\"e\":1}"))
                                .withExpiry(new Expiry.At(clock.instant().plusSeconds(random.nextInt(1, 5))))));
                    default -> put(number, SHAPES.get(random.nextInt(SHAPES.size())));
                }
            }
            clock.advance(Duration.ofSeconds(random.nextInt(2)));

            String statement = "SELECT META(t).id, t AS whole, t.r, t.s.r AS deep, t.* FROM t";
            assertThat(rows(engine, statement)).isEqualTo(rows(plain, statement));
        }
    }
}
