package io.millrace.subdocservice.subdocuments;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other writers change the document between the read and the write. */
class LostRacesTest {

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final MemoryDocumentStore memory = new MemoryDocumentStore(clock);
    private final DocumentKey key = new DocumentKey(Keyspace.of(StoreKit.uniqueBucket()), "k");
    private int reads;
    private int racesToLose;
    private Write faster = Write.upsert(key, bytes("{\"n\":5}"));

    private final SubDocumentExecutor executor = new SubDocumentExecutor(storeWithFasterWriter(), clock);

    @BeforeEach
    void createBucket() {
        await(memory.catalog().createBucket(key.keyspace().bucket(), 1));
    }

    @Test
    void mutation_afterAConflict_usesTheNewerDocument() {
        await(memory.write(Write.insert(key, bytes("{\"n\":1}"))));
        racesToLose = 3;

        ExecutionResult executed = await(executor.execute(key, increment()));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        assertThat(executed.results().get(0).value()).isEqualTo(bytes("6"));
        assertThat(reads).isEqualTo(4);
    }

    @Test
    void mutation_thatAlwaysConflicts_failsWithAStatus() {
        await(memory.write(Write.insert(key, bytes("{\"n\":1}"))));
        racesToLose = 1000;

        ExecutionResult executed = await(executor.execute(key, increment()));

        assertThat(executed.status()).isEqualTo(Status.ETMPFAIL);
        assertThat(reads).isEqualTo(SubDocumentLimits.MAX_ATTEMPTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 9, 99})
    void pause_afterManyConflicts_isStillRandom(int conflicts) {
        Set<Long> pauses = new HashSet<>();
        for (int mutation = 0; mutation < 200; mutation++) {
            pauses.add(SubDocumentExecutor.pauseMillis(conflicts));
        }

        assertThat(pauses).hasSizeGreaterThan(5).allMatch(pause -> pause <= SubDocumentLimits.LONGEST_PAUSE.toMillis());
    }

    @Test
    void mutation_withCasAfterAConflict_isNotRepeated() {
        long cas = ((WriteResult.Written) await(memory.write(Write.insert(key, bytes("{\"n\":1}"))))).cas();
        racesToLose = 1;

        ExecutionResult executed = await(executor.execute(key, increment().withCas(cas)));

        assertThat(executed.status()).isEqualTo(Status.KEY_EEXISTS);
        assertThat(executed.cas()).isGreaterThan(cas);
        assertThat(stored().body()).isEqualTo(bytes("{\"n\":5}"));
    }

    @Test
    void add_afterAConflict_isNotStored() {
        racesToLose = 1;

        ExecutionResult executed = await(executor.execute(key, increment().withDocFlags(DocFlag.ADD)));

        assertThat(executed.status()).isEqualTo(Status.NOT_STORED);
        assertThat(stored().body()).isEqualTo(bytes("{\"n\":5}"));
    }

    @Test
    void mkdoc_afterAConflict_usesTheExistingDocument() {
        racesToLose = 1;

        ExecutionResult executed = await(executor.execute(key, increment().withDocFlags(DocFlag.MKDOC)));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        assertThat(stored().body()).isEqualTo(bytes("{\"n\":6}"));
    }

    @Test
    void mkdoc_whereATombstoneAppears_keepsNothingOfIt() {
        faster = Write.tombstone(key, bytes("{\"txn\":1}"), bytes("{\"_s\":1}"));
        racesToLose = 1;

        ExecutionResult executed = await(executor.execute(key, increment().withDocFlags(DocFlag.MKDOC)));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        assertThat(stored().body()).isEqualTo(bytes("{\"n\":1}"));
        assertThat(stored().userXattrs()).isNull();
        assertThat(stored().systemXattrs()).isNull();
    }

    private static Request increment() {
        return Request.single(Spec.of(Operation.COUNTER, "n", "1"));
    }

    private Document stored() {
        return await(memory.getWithTombstone(key)).orElseThrow();
    }

    /** The store in memory with another writer after each read, for a given number of reads. */
    private DocumentStore storeWithFasterWriter() {
        return (DocumentStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(memory, arguments);
                        if (method.getName().equals("getWithTombstone")) {
                            reads++;
                            if (racesToLose-- > 0) {
                                await(memory.write(
                                        faster.withTransaction(Write.remove(key).transaction())));
                            }
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
