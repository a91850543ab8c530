package io.millrace.documents.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large documents do not come over the connection of all other commands. */
class LargeReadsIT {

    private static final int LARGE_BYTES = 3 << 20;

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = "aside-" + UUID.randomUUID();
    private final DocumentKey large = new DocumentKey(Keyspace.of(bucket), "large");
    private final DocumentKey small = new DocumentKey(Keyspace.of(bucket), "small");

    /** The second connection, which opens when a test says so. */
    private final CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> aside = new CompletableFuture<>();

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final RedisDocumentStore store = kit.store(
            new ReadRoom() {
                @Override
                public boolean has(long bytes) {
                    throw new AssertionError("A document of " + bytes + " bytes came over the connection of all");
                }

                @Override
                public CompletableFuture<Boolean> reserve(long bytes) {
                    return CompletableFuture.completedFuture(room.get());
                }

                @Override
                public void hold(long bytes) {}

                @Override
                public void give(long bytes) {}
            },
            () -> aside);

    @BeforeEach
    void write() {
        store.catalog().createBucket(bucket, 1).join();
        store.write(Write.upsert(large, new byte[LARGE_BYTES])).join();
        store.write(Write.upsert(small, new byte[10])).join();
    }

    @AfterEach
    void open() {
        aside.complete(kit.connection().async());
    }

    @Test
    void largeDocuments_areWaitedForByNothingElse() {
        List<CompletableFuture<Optional<Document>>> reads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            reads.add(store.get(large));
        }

        assertThat(store.get(small).join()).isPresent();
        assertThat(store.getMetadata(large).join()).isPresent();
        store.write(Write.upsert(small, new byte[20])).join();
        assertThat(reads).noneMatch(CompletableFuture::isDone);

        open();
        for (CompletableFuture<Optional<Document>> read : reads) {
            assertThat(read.join().orElseThrow().body()).hasSize(LARGE_BYTES);
        }
    }

    @Test
    void largeDocumentWithoutRoom_isNotSent() {
        room.set(false);

        CompletableFuture<Optional<Document>> read = store.get(large);

        assertThat(read.handle((found, failure) -> failure).join().getCause())
                .isInstanceOfSatisfying(
                        DocumentsException.class,
                        e -> assertThat(e.code()).isEqualTo(DocumentsException.Code.OVERLOADED));
        assertThat(aside).isNotDone();
    }

    @Test
    void lockedLargeDocument_isWaitedForByNothingElse() {
        CompletableFuture<LockResult> locking = store.lock(large, soon());

        assertThat(store.get(small).join()).isPresent();
        assertThat(locking).isNotDone();
        assertThat(store.lock(large, soon()).join()).isInstanceOf(LockResult.Taken.class);

        open();
        assertThat(locking.join())
                .isInstanceOfSatisfying(
                        LockResult.Granted.class,
                        granted -> assertThat(granted.document().body()).hasSize(LARGE_BYTES));
    }

    @Test
    void largeDocumentWithoutRoom_isNotLocked() {
        room.set(false);

        CompletableFuture<LockResult> locking = store.lock(large, soon());

        assertThat(locking.handle((granted, failure) -> failure).join().getCause())
                .isInstanceOfSatisfying(
                        DocumentsException.class,
                        e -> assertThat(e.code()).isEqualTo(DocumentsException.Code.OVERLOADED));
        assertThat(store.write(Write.upsert(large, new byte[1])).join()).isInstanceOf(WriteResult.Written.class);
    }

    private static Instant soon() {
        return Instant.now().plusSeconds(20);
    }

    @Test
    void readAside_seesTheWritesBeforeIt() {
        open();
        List<CompletableFuture<?>> writes = new ArrayList<>();
        byte[] latest = new byte[LARGE_BYTES];
        for (byte i = 1; i <= 5; i++) {
            latest = new byte[LARGE_BYTES + i];
            writes.add(store.write(Write.upsert(large, latest)));
        }

        assertThat(store.get(large).join().orElseThrow().body()).hasSize(latest.length);
        assertThat(writes).allMatch(CompletableFuture::isDone);
    }

    @Test
    void documentThatBecameSmall_isReadAmongTheOthers() {
        RedisDocumentStore other = kit.store(ReadRoom.UNLIMITED);
        other.write(Write.upsert(large, new byte[Limits.UNASKED_READ_BYTES])).join();

        assertThat(store.get(large).join().orElseThrow().body()).hasSize(Limits.UNASKED_READ_BYTES);
        assertThat(aside).isNotDone();
    }

    @Test
    void documentThatAnotherProcessHasWritten_isReadAsideFromTheSecondTimeOn() {
        RedisDocumentStore reader = kit.store(ReadRoom.UNLIMITED, () -> aside);

        assertThat(reader.get(large).join()).isPresent();
        CompletableFuture<Optional<Document>> again = reader.get(large);

        assertThat(reader.get(small).join()).isPresent();
        assertThat(again).isNotDone();
    }
}
