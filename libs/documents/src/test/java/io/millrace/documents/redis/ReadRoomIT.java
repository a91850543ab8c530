package io.millrace.documents.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large documents are copied from the connection only when there is room. */
class ReadRoomIT {

    private static final int LARGE_BYTES = 3 << 20;

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = "room-" + UUID.randomUUID();
    private final DocumentKey large = new DocumentKey(Keyspace.of(bucket), "large");
    private final DocumentKey small = new DocumentKey(Keyspace.of(bucket), "small");

    /** Room that a test opens by hand. */
    private static final class Room implements ReadRoom {

        final CompletableFuture<Boolean> decision = new CompletableFuture<>();
        final List<String> calls = new ArrayList<>();

        @Override
        public synchronized boolean has(long bytes) {
            calls.add("has " + bytes);
            return false;
        }

        @Override
        public synchronized CompletableFuture<Boolean> reserve(long bytes) {
            calls.add("reserve " + bytes);
            return decision;
        }

        @Override
        public synchronized void hold(long bytes) {
            calls.add("hold " + bytes);
        }

        @Override
        public synchronized void give(long bytes) {
            calls.add("give " + bytes);
        }

        synchronized void counted(int bytes) {
            calls.add("counted " + bytes);
        }

        synchronized List<String> kinds() {
            return calls.stream()
                    .map(call -> call.substring(0, call.indexOf(' ')))
                    .toList();
        }
    }

    @BeforeEach
    void write() {
        RedisDocumentStore store = kit.store(InstantSource.system());
        store.catalog().createBucket(bucket, 1).join();
        store.write(Write.upsert(large, new byte[LARGE_BYTES])).join();
        store.write(Write.upsert(small, new byte[Limits.UNASKED_READ_BYTES])).join();
    }

    @Test
    void largeDocument_isReadWhenThereIsRoom_andSmallOnesAtOnce() {
        Room room = new Room();
        RedisDocumentStore store = kit.store(room);

        CompletableFuture<Optional<Document>> reading = store.get(large);
        assertThat(store.get(small).join()).isPresent();
        assertThat(reading).isNotDone();
        room.decision.complete(true);

        assertThat(reading.join().orElseThrow().body()).hasSize(LARGE_BYTES);
        await().untilAsserted(() -> assertThat(room.kinds()).containsExactly("has", "reserve", "give"));
        assertThat(room.calls.get(1).substring("reserve ".length()))
                .isEqualTo(room.calls.get(2).substring("give ".length()));
    }

    @Test
    void largeDocument_isCountedByItsReader_beforeItsReservationEnds() {
        Room room = new Room();
        CompletableFuture<Void> reading = kit.store(room)
                .get(large)
                .thenAccept(found -> room.counted(found.orElseThrow().body().length));

        room.decision.complete(true);
        reading.join();

        await().untilAsserted(() -> assertThat(room.kinds()).containsExactly("has", "reserve", "counted", "give"));
    }

    @Test
    void metadataOfALargeDocument_needNoRoom() {
        Room room = new Room();

        Document metadata = kit.store(room).getMetadata(large).join().orElseThrow();

        Document whole = kit.store(InstantSource.system()).get(large).join().orElseThrow();
        assertThat(metadata.body()).isEmpty();
        assertThat(metadata.cas()).isEqualTo(whole.cas());
        assertThat(metadata.revision()).isEqualTo(whole.revision());
        assertThat(room.calls).isEmpty();
    }

    @Test
    void largeDocument_withoutRoomInTime_isRefusedForNow() {
        Room room = new Room();
        room.decision.complete(false);

        CompletableFuture<Optional<Document>> reading = kit.store(room).get(large);

        assertThat(reading.handle((found, failure) -> failure).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(DocumentsException.class, e -> {
                    assertThat(e.code()).isEqualTo(DocumentsException.Code.OVERLOADED);
                    assertThat(e.unavailable()).isTrue();
                });
        assertThat(room.kinds()).containsExactly("has", "reserve");
    }
}
