package io.millrace.n1ql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.runtime.Execution;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DocumentReaderTest {

    private static final int BODY_BYTES = 1 << 20;

    private final CompletableFuture<WeakReference<byte[]>> first = new CompletableFuture<>();
    private final CompletableFuture<Fetched> second = new CompletableFuture<>();

    /** The document of "a" is there, the one of "b" is waited for. */
    private final Keyspace keyspace = (Keyspace) Proxy.newProxyInstance(
            Keyspace.class.getClassLoader(),
            new Class<?>[] {Keyspace.class},
            (proxy, method, arguments) -> List.of("a").equals(arguments[0]) ? firstDocument() : second);

    private CompletableFuture<Fetched> firstDocument() {
        byte[] body = new byte[BODY_BYTES];
        first.complete(new WeakReference<>(body));
        return CompletableFuture.completedFuture(document("a", body));
    }

    private static Fetched document(String id, byte[] body) {
        return Fetched.of(List.of(new StoredDocument(id, body, true, 1, 0, 0)));
    }

    @Test
    void documentsThatWereProcessed_areGarbageWhileTheNextAreWaitedFor() throws InterruptedException {
        Execution execution = Execution.ofConstants();
        List<StoredDocument> last = new ArrayList<>();
        Thread statement = Thread.ofPlatform().start(() -> {
            try (DocumentReader reader =
                    new DocumentReader(keyspace, DocumentReader.of(List.of("a", "b")), execution, 1000, false)) {
                assertThat(reader.next()).isNotNull();
                last.add(Objects.requireNonNull(reader.next()));
            }
        });

        WeakReference<byte[]> processed = first.join();
        await().untilAsserted(() -> {
            assertThat(statement.getState()).isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING);
            System.gc();
            assertThat(processed.get()).isNull();
        });
        second.complete(document("b", new byte[1]));
        statement.join();
        assertThat(last).extracting(StoredDocument::key).containsExactly("b");
    }
}
