package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentsException.Code;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Buckets of the system are closed to every call of a {@link DocumentStore} that has no handle for them. */
public abstract class SystemBucketContract {

    private static final String NAME = "_metakv";
    private static final Keyspace KEYSPACE = Keyspace.of(NAME);
    private static final DocumentKey KEY = new DocumentKey(KEYSPACE, "users");

    /** They concern no bucket, or all that are open. */
    private static final Set<String> WITHOUT_BUCKET =
            Set.of("catalog", "indexes", "with", "list", "restartsLoseNothing");

    private DocumentStore store;
    private DocumentStore owner;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void openStore() {
        store = open(new StoreKit.Clock());
        owner = store.with(SystemHandle.METAKV);
        if (await(owner.catalog().find(NAME)).isEmpty()) {
            await(owner.catalog().createBucket(NAME, 1));
        }
        await(owner.write(Write.upsert(KEY, bytes("{\"secret\":1}"))));
    }

    @Test
    void everyCall_isRefusedWithoutAHandle() throws IllegalAccessException {
        BucketInfo bucket = await(owner.catalog().find(NAME)).orElseThrow();
        List<String> open = new ArrayList<>();
        int calls = 0;
        for (Object part : List.of(store, store.catalog(), store.indexes())) {
            for (Method method : methods(part)) {
                Object[] arguments = Arrays.stream(method.getParameters())
                        .map(parameter -> argument(parameter, bucket))
                        .toArray();
                calls++;
                if (!isRefused(part, method, arguments)) {
                    open.add(method.toString());
                }
            }
        }

        assertThat(open).isEmpty();
        assertThat(calls).isGreaterThan(30);
        assertThat(await(owner.get(KEY))).isPresent();
    }

    private static List<Method> methods(Object part) {
        return Stream.of(DocumentStore.class, Catalog.class, DocumentIndexes.class)
                .filter(type -> type.isInstance(part))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic() && !WITHOUT_BUCKET.contains(method.getName()))
                .toList();
    }

    private static Object argument(Parameter parameter, BucketInfo bucket) {
        Class<?> type = parameter.getType();
        if (parameter.getParameterizedType().getTypeName().endsWith("List<" + Write.class.getName() + ">")) {
            return List.of(Write.upsert(KEY, bytes("{}")));
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 0L;
        }
        if (type == boolean.class) {
            return false;
        }
        return Stream.<Object>of(
                        NAME,
                        KEYSPACE,
                        KEY,
                        bucket,
                        Write.upsert(KEY, bytes("{}")),
                        Instant.EPOCH,
                        IdRange.ALL,
                        Map.of(),
                        List.of(),
                        new ChangePage.Request(0, false, 1, true),
                        (IntPredicate) vbucket -> true,
                        new DocumentIndexes.Index(KEYSPACE, "i", document -> List.of()),
                        new DocumentIndexes.ByteRange(new byte[0], null))
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("This test has no " + type));
    }

    private static boolean isRefused(Object part, Method method, Object[] arguments) throws IllegalAccessException {
        try {
            Object answer = method.invoke(part, arguments);
            CompletionStage<?> stage = switch (answer) {
                case CompletionStage<?> future -> future;
                case ChangeFeed feed -> feed.next(1);
                case BucketChanges changes -> changes.high();
                default -> throw new AssertionError("This test does not know what to do with " + answer);
            };
            await(stage);
            return false;
        } catch (DocumentsException e) {
            return e.code() == Code.SYSTEM_BUCKET;
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " throws instead of answering", e);
        }
    }

    @Test
    void lists_omitWhatIsClosed() {
        assertThat(await(store.catalog().list())).extracting(BucketInfo::name).doesNotContain(NAME);
        assertThat(await(store.with(SystemHandle.ALL).catalog().list()))
                .extracting(BucketInfo::name)
                .contains(NAME);
    }

    @Test
    void aHandle_opensItsBucketAndNoOther() {
        String bucket = StoreKit.uniqueBucket();
        await(store.catalog().createBucket(bucket, 1));

        assertThat(await(owner.catalog().list())).extracting(BucketInfo::name).containsExactly(NAME);
        assertRefused(() -> await(owner.get(new DocumentKey(Keyspace.of(bucket), "a"))));
        assertRefused(() -> await(store.with(SystemHandle.STREAMS).get(KEY)));
        assertThat(await(store.with(SystemHandle.ALL).get(KEY))).isPresent();
    }

    @Test
    void aBucketThatDoesNotExist_isClosedAsWell() {
        assertRefused(() -> await(store.catalog().createBucket("_mine", 1)));
        assertRefused(() -> await(store.catalog().find("_mine")));
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.SYSTEM_BUCKET));
    }
}
