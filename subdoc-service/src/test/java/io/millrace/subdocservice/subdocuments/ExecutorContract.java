package io.millrace.subdocservice.subdocuments;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static io.millrace.subdoc.Request.DocFlag.ACCESS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.ADD;
import static io.millrace.subdoc.Request.DocFlag.CREATE_AS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.MKDOC;
import static io.millrace.subdoc.Spec.PathFlag.EXPAND_MACROS;
import static io.millrace.subdoc.Spec.PathFlag.MKDIR_P;
import static io.millrace.subdoc.Spec.PathFlag.XATTR_PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.WriteOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The executor beyond the vectors, over every store. */
abstract class ExecutorContract {

    private static final byte[] BODY = bytes("{\"n\":1}");

    final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private SubDocumentExecutor executor;
    private DocumentKey key;

    abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        executor = new SubDocumentExecutor(store, clock);
        key = new DocumentKey(Keyspace.of(StoreKit.uniqueBucket()), "k");
        await(store.catalog().createBucket(key.keyspace().bucket(), 1));
    }

    @Test
    void mutation_answersTheNewCas() {
        long before = written(Write.insert(key, BODY));

        ExecutionResult executed = run(Request.single(Spec.of(Operation.COUNTER, "n", "1")));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        assertThat(executed.cas()).isGreaterThan(before).isEqualTo(stored().cas());
        assertThat(text(executed.results().get(0).value())).isEqualTo("2");
    }

    @Test
    void lookUp_answersThePresentCas() {
        long cas = written(Write.insert(key, BODY));

        assertThat(run(Request.single(Spec.of(Operation.GET, "n"))).cas()).isEqualTo(cas);
        assertThat(run(Request.lookUp(List.of(Spec.of(Operation.GET, "x")))).cas())
                .isEqualTo(cas);
    }

    @Test
    void expiry_isClearedUnlessKeptOrGiven() {
        Expiry inOneHour = Expiry.at(clock.instant().plusSeconds(3600));
        written(Write.insert(key, BODY).withExpiry(inOneHour));
        Request request = Request.single(Spec.of(Operation.COUNTER, "n", "1"));

        await(executor.execute(key, request, WriteOptions.defaults().withExpiry(Expiry.PRESERVE)));
        assertThat(stored().expiry()).isEqualTo("2026-01-02T04:04:05Z");

        run(request);
        assertThat(stored().expiry()).isNull();

        await(executor.execute(key, request, WriteOptions.defaults().withExpiry(inOneHour)));
        assertThat(stored().expiry()).isEqualTo("2026-01-02T04:04:05Z");
    }

    @Test
    void flags_areKeptUnlessGiven_alsoWhenAttributesAloneChange() {
        written(Write.insert(key, BODY).withFlags(7));
        Request onBody = Request.single(Spec.of(Operation.COUNTER, "n", "1"));
        Request onAttribute = Request.single(upsert("a", "1", XATTR_PATH));

        run(onBody);
        assertThat(stored().flags()).isEqualTo(7);
        run(onAttribute);
        assertThat(stored().flags()).isEqualTo(7);

        await(executor.execute(key, onAttribute, WriteOptions.defaults().withFlags(-1)));
        assertThat(stored().flags()).isEqualTo(-1);
        assertThat(text(stored().body())).isEqualTo("{\"n\":2}");
    }

    @Test
    void origin_isStored() {
        written(Write.insert(key, BODY));
        Origin origin = new Origin("f", 1);

        await(executor.execute(
                key,
                Request.single(Spec.of(Operation.COUNTER, "n", "1")),
                WriteOptions.defaults().withOrigin(origin)));

        assertThat(stored().origin()).isEqualTo(origin);
    }

    @Test
    void macros_showTheVersionThatIsStored() {
        long before = written(Write.insert(key, BODY));

        ExecutionResult executed = run(Request.mutate(List.of(
                upsert("_m.cas", "\"${Mutation.CAS}\"", XATTR_PATH | EXPAND_MACROS | MKDIR_P),
                upsert("_m.seqno", "\"${Mutation.seqno}\"", XATTR_PATH | EXPAND_MACROS),
                upsert("user", "\"${Mutation.CAS}\"", XATTR_PATH | EXPAND_MACROS),
                upsert("old", "\"${$document.CAS}\"", XATTR_PATH | EXPAND_MACROS),
                Spec.of(Operation.COUNTER, "n", "1"))));

        JsonNode system = JsonMapper.shared().readTree(stored().systemXattrs());
        JsonNode user = JsonMapper.shared().readTree(stored().userXattrs());
        String swapped = "0x%016x".formatted(Long.reverseBytes(executed.cas()));
        assertThat(system.at("/_m/cas").asString()).isEqualTo(swapped);
        assertThat(system.at("/_m/seqno").asString()).isEqualTo("0x%016x".formatted(executed.seqno()));
        assertThat(user.get("user").asString()).isEqualTo(swapped);
        assertThat(user.get("old").asString()).isEqualTo("0x%016x".formatted(before));
    }

    @Test
    void document_asVirtualAttribute_showsWhatIsStored() {
        long cas = written(Write.insert(key, BODY)
                .withFlags(-1)
                .withExpiry(Expiry.at(clock.instant().plusSeconds(10)))
                .withXattrs(bytes("{\"b\":1,\"a\":2}"), bytes("{\"_s\":1}")));

        long earlier = await(store.time(key)).getEpochSecond();
        ExecutionResult executed = run(Request.lookUp(List.of(
                Spec.of(Operation.GET, "$document").withFlags(XATTR_PATH),
                Spec.of(Operation.GET, "$XTOC").withFlags(XATTR_PATH),
                Spec.of(Operation.GET, "$vbucket.HLC.now").withFlags(XATTR_PATH))));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        JsonNode shown = JsonMapper.shared().readTree(executed.results().get(0).value());
        BucketInfo bucket = await(store.catalog().find(key.keyspace().bucket())).orElseThrow();
        assertThat(shown.get("CAS").asString()).isEqualTo("0x%016x".formatted(cas));
        assertThat(shown.get("seqno").asString()).isEqualTo("0x%016x".formatted(stored().seqno()));
        assertThat(shown.get("vbucket_uuid").asString())
                .isEqualTo("0x%016x".formatted(bucket.vbucketUuid(key.vbucket())));
        assertThat(shown.get("revid").asString()).isEqualTo("1");
        assertThat(shown.get("exptime").asLong())
                .isEqualTo(clock.instant().plusSeconds(10).getEpochSecond());
        assertThat(shown.get("flags").asLong()).isEqualTo(0xffffffffL);
        assertThat(shown.get("value_bytes").asInt()).isEqualTo(BODY.length);
        assertThat(shown.get("datatype").toString()).isEqualTo("[\"json\",\"xattr\"]");
        assertThat(shown.get("deleted").asBoolean()).isFalse();
        assertThat(shown.get("last_modified").asString())
                .isEqualTo(Long.toString(clock.instant().getEpochSecond()));
        assertThat(text(executed.results().get(1).value())).isEqualTo("[\"_s\",\"a\",\"b\"]");
        long now = Long.parseLong(text(executed.results().get(2).value()).replace("\"", ""));
        assertThat(now).isBetween(earlier, await(store.time(key)).getEpochSecond());
    }

    @Test
    void expired_isATombstoneToRequests() {
        written(Write.insert(key, BODY)
                .withXattrs(bytes("{\"u\":1}"), bytes("{\"_s\":1}"))
                .withExpiry(Expiry.at(clock.instant().plusSeconds(10))));
        clock.advance(Duration.ofSeconds(11));
        Spec system = Spec.of(Operation.GET, "_s").withFlags(XATTR_PATH);

        assertThat(run(Request.single(system)).status()).isEqualTo(Status.KEY_ENOENT);
        assertThat(run(Request.single(system).withDocFlags(ACCESS_DELETED)).status())
                .isEqualTo(Status.SUCCESS_DELETED);

        run(Request.single(Spec.of(Operation.DICT_UPSERT, "n", "2")).withDocFlags(MKDOC));
        assertThat(text(stored().body())).isEqualTo("{\"n\":2}");
        assertThat(stored().userXattrs()).isNull();
        assertThat(stored().systemXattrs()).isNull();
    }

    @Test
    void createdAsDeleted_twiceAtOnce_happensOnce() {
        Request request = Request.mutate(List.of(upsert("txn", "1", XATTR_PATH)))
                .withDocFlags(ADD | CREATE_AS_DELETED | ACCESS_DELETED);

        assertThat(run(request).status()).isEqualTo(Status.SUCCESS_DELETED);
        assertThat(run(request).status()).isEqualTo(Status.KEY_EEXISTS);
    }

    @Test
    void lock_rejectsOtherWritersUntilItIsUsed() {
        written(Write.insert(key, BODY));
        LockResult.Granted lock =
                (LockResult.Granted) await(store.lock(key, clock.instant().plusSeconds(15)));
        Request request = Request.single(Spec.of(Operation.COUNTER, "n", "1"));

        assertThat(run(request).status()).isEqualTo(Status.LOCKED);
        assertThat(run(request.withCas(stored().cas())).status()).isEqualTo(Status.LOCKED);
        assertThat(run(Request.single(Spec.of(Operation.GET, "n"))).locked()).isTrue();
        assertThat(run(request.withCas(lock.cas())).status()).isEqualTo(Status.SUCCESS);
        assertThat(run(request).status()).isEqualTo(Status.SUCCESS);
        assertThat(run(request.withCas(lock.cas())).status()).isEqualTo(Status.KEY_EEXISTS);
    }

    @Test
    void binaryBody_takesAttributesAndStaysBinary() {
        byte[] binary = {(byte) 0xf8, 1, 2, (byte) 0xf8};
        written(Write.insert(key, binary).withDatatype(Datatype.BINARY));

        ExecutionResult executed =
                run(Request.mutate(List.of(upsert("a", "\"${Mutation.CAS}\"", XATTR_PATH | EXPAND_MACROS))));

        assertThat(executed.status()).isEqualTo(Status.SUCCESS);
        assertThat(stored().body()).isEqualTo(binary);
        assertThat(stored().datatype()).isEqualTo(Datatype.BINARY);
    }

    @Test
    void hotDocument_losesNoUpdate() throws Exception {
        written(Write.insert(key, BODY));
        List<SubDocumentExecutor> processes =
                List.of(executor, new SubDocumentExecutor(store, clock), new SubDocumentExecutor(store, clock));
        Request request = Request.mutate(List.of(
                Spec.of(Operation.COUNTER, "n", "1"),
                Spec.of(Operation.ARRAY_PUSH_LAST, "all", "1").withFlags(MKDIR_P)));
        int clients = 200;
        List<CompletableFuture<ExecutionResult>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < clients; i++) {
                SubDocumentExecutor process = processes.get(i % processes.size());
                answers.add(CompletableFuture.supplyAsync(() -> await(process.execute(key, request)), threads));
            }
            answers.forEach(answer -> assertThat(answer.join().status()).isEqualTo(Status.SUCCESS));
        }

        JsonNode document = JsonMapper.shared().readTree(stored().body());
        assertThat(document.get("n").asInt()).isEqualTo(1 + clients);
        assertThat(document.get("all").size()).isEqualTo(clients);
        assertThat(answers.stream().map(answer -> answer.join().cas()).distinct())
                .hasSize(clients);
    }

    private static Spec upsert(String path, String value, int flags) {
        return Spec.of(Operation.DICT_UPSERT, path, value).withFlags(flags);
    }

    private ExecutionResult run(Request request) {
        return await(executor.execute(key, request));
    }

    private Document stored() {
        return await(store.getWithTombstone(key)).orElseThrow();
    }

    private long written(Write write) {
        return ((WriteResult.Written) await(store.write(write))).cas();
    }
}
