package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes for which Redis gives no answer, or refuses. */
class UnansweredWriteTest {

    private static final String KEY = "k";
    private static final int MAJORITY = 0x01;

    private final MemoryDocumentStore memory = new MemoryDocumentStore(InstantSource.system());
    private volatile RuntimeException failure = new IllegalStateException("not set");
    private final KvKit kit = new KvKit(new Failing(), InstantSource.system());

    private final class Failing extends ForwardingDocumentStore {
        @Override
        protected DocumentStore behind() {
            return memory;
        }

        @Override
        public CompletableFuture<WriteResult> write(Write write) {
            return CompletableFuture.failedFuture(DocumentsException.of(failure));
        }
    }

    @BeforeEach
    void createBucket() {
        memory.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void durableWrite_withoutAnAnswer_isAmbiguous_soThatItIsNotRepeated() throws IOException {
        failure = new RedisCommandTimeoutException("no answer");

        expect(Status.SYNC_WRITE_AMBIGUOUS, counter().withFrameExtras(0x11, MAJORITY));
        expect(Status.SYNC_WRITE_AMBIGUOUS, mutation().withFrameExtras(0x11, MAJORITY));
        expect(Status.ETMPFAIL, counter());
    }

    @Test
    void durableWrite_thatRedisRefused_isTemporary() throws IOException {
        failure = new RedisCommandExecutionException("READONLY You can't write against a read only replica.");

        expect(Status.ETMPFAIL, counter().withFrameExtras(0x11, MAJORITY));
    }

    private void expect(Status status, Call call) throws IOException {
        try (MemcachedClient client = kit.open("b", KvKit.ALL)) {
            assertThat(client.call(call).status()).isEqualTo(status);
        }
    }

    private static Call counter() {
        return Call.of(Opcode.INCREMENT, KEY).withExtras(Call.numbers(1L, 1L, 0));
    }

    private static Call mutation() {
        return Call.of(Opcode.SUBDOC_DICT_UPSERT, KEY)
                .withExtras(
                        new byte[] {0, 1, 0, 1}) // a path of one byte, and a document that is created if it is missing
                .withValue("a1");
    }
}
