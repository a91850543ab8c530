package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.WriteResult.Written;
import io.millrace.testkit.OwnRedis;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of many documents with one call. */
class WritesTogetherIT {

    private static final Instant LATER = Instant.ofEpochSecond(4_000_000_000L);

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final RedisKit kit = new RedisKit(redis.url());
    private final RedisDocumentStore store = kit.store(InstantSource.system());
    private final Keyspace keyspace = Keyspace.of("b");

    @BeforeEach
    void createBucket() {
        await(store.catalog().createBucket("b", 1));
        await(store.write(Write.insert(key("first"), bytes("0"))));
        kit.console().configResetstat();
    }

    @AfterEach
    void close() {
        store.close();
        kit.close();
        redis.close();
    }

    @Test
    void loneWrite_isSentAtOnce() {
        await(store.write(Write.insert(key("a"), bytes("1"))));
        await(store.write(Write.insert(key("b"), bytes("1"))));

        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void whatWaits_goesTogether_withinTheLimit() {
        int writes = 20 * Limits.MAX_WRITES_TOGETHER;

        List<WriteResult> answers = all(writes, i -> Write.insert(key("d" + i), bytes("" + i)));

        assertThat(answers).allMatch(answer -> answer instanceof Written written && written.created());
        assertThat(answers.stream().map(answer -> ((Written) answer).seqno())).doesNotHaveDuplicates();
        assertThat(calls()).isBetween(20L, writes / 4L);
        assertThat(await(store.count(keyspace))).isEqualTo(writes + 1);
        assertThat(await(store.ids(keyspace, IdRange.ALL, writes + 2))).hasSize(writes + 1);
        assertThat(await(store.highSeqno("b", 0))).isEqualTo(writes + 1);
    }

    @Test
    void largeDocuments_areWrittenAlone() {
        byte[] large = new byte[Limits.MAX_BYTES_TOGETHER + 1];

        all(20, i -> Write.insert(key("d" + i), large));

        assertThat(calls()).isEqualTo(20);
    }

    /** While Redis carries out a call it does nothing else. */
    @Test
    void noCall_isLargerThanTheLimits() {
        kit.console().configSet("slowlog-max-len", "1000");
        kit.console().configSet("slowlog-log-slower-than", "0");

        all(10 * Limits.MAX_WRITES_TOGETHER, i -> Write.insert(key("small" + i), bytes("" + i)));

        assertThat(mostTogether()).isEqualTo(Limits.MAX_WRITES_TOGETHER);

        kit.console().slowlogReset();
        int fitting = 10;
        all(10 * fitting, i -> Write.insert(key("large" + i), new byte[Limits.MAX_BYTES_TOGETHER / fitting]));

        assertThat(mostTogether()).isEqualTo(fitting);
    }

    /** Returns how many documents the call with the most of them wrote. */
    private int mostTogether() {
        int shardKeys = 4;
        return kit.console().slowlogGet(1000).stream()
                .map(entry -> (List<?>) ((List<?>) entry).get(3))
                .filter(command -> command.getFirst().equals("FCALL"))
                .mapToInt(call -> Integer.parseInt((String) call.get(2)) - shardKeys)
                .max()
                .orElse(0);
    }

    @Test
    void eachWrite_hasItsOwnConditionsAndItsOwnAnswer() {
        Written kept = (Written) await(store.write(Write.insert(key("kept"), bytes("1"))));
        await(store.write(Write.insert(key("gone"), bytes("1")).withExpiry(Expiry.at(LATER))));
        Write repeated = Write.upsert(key("repeated"), bytes("1")).withTransaction(TransactionId.of("t"));
        Written once = (Written) await(store.write(repeated));

        List<WriteResult> answers = all(List.of(
                Write.insert(key("blocker"), bytes("1")),
                Write.insert(key("blocker2"), bytes("1")),
                Write.insert(key("kept"), bytes("2")),
                Write.replace(key("kept"), bytes("2")).withCas(kept.cas() + 1),
                Write.replace(key("nothing"), bytes("2")),
                Write.remove(key("gone")),
                Write.remove(key("nothing")),
                repeated,
                Write.upsert(key("new"), bytes("3"))
                        .withExpiry(Expiry.at(LATER))
                        .withOrigin(new Origin("f", 1))
                        .withXattrs(bytes("{\"u\":1}"), bytes("{\"_s\":1}")),
                Write.tombstone(key("grave"), null, bytes("{\"_s\":2}")),
                Write.replace(key("kept"), bytes("4")).withCas(kept.cas())));

        assertThat(calls()).isLessThan(3 + 11);
        assertThat(answers.get(2)).isEqualTo(new WriteResult.AlreadyExists(kept.cas()));
        assertThat(answers.get(3)).isEqualTo(new WriteResult.CasMismatch(kept.cas()));
        assertThat(answers.get(4)).isEqualTo(new WriteResult.NotFound());
        assertThat(answers.get(5)).isInstanceOf(Written.class);
        assertThat(answers.get(6)).isEqualTo(new WriteResult.NotFound());
        assertThat(answers.get(7)).isEqualTo(new Written(once.cas(), once.seqno(), true, true));
        assertThat(answers.get(8)).isInstanceOf(Written.class);
        assertThat(answers.get(9)).isInstanceOf(Written.class);
        assertThat(answers.get(10)).isInstanceOf(Written.class);
        var fresh = await(store.get(key("new"))).orElseThrow();
        assertThat(fresh.expiry()).isEqualTo(LATER);
        assertThat(fresh.origin()).isEqualTo(new Origin("f", 1));
        assertThat(text(fresh.userXattrs())).isEqualTo("{\"u\":1}");
        assertThat(text(fresh.systemXattrs())).isEqualTo("{\"_s\":1}");
        assertThat(await(store.get(key("gone")))).isEmpty();
        assertThat(text(await(store.getWithTombstone(key("grave")))
                        .orElseThrow()
                        .systemXattrs()))
                .isEqualTo("{\"_s\":2}");
        assertThat(kit.console().zrange("mr:{b.0}:x", 0, -1)).containsExactly("0:new");
        assertThat(await(store.count(keyspace))).isEqualTo(6);
    }

    /** The last two bytes of a cas are those of the seqno: within these calls they begin again at 0. */
    @Test
    void answers_nameWhatIsStored_alsoWhenTheCounterTurns() {
        kit.console().hset("mr:{b.0}:m", "n", Long.toString(5 * 65_536 - 20));
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            writes.add(Write.upsert(key("d" + i), bytes("1")));
            writes.add(Write.insert(key("first"), bytes("1"))); // is refused
        }

        List<WriteResult> answers = all(writes);

        for (int i = 0; i < 100; i += 2) {
            var stored = await(store.get(key("d" + i / 2))).orElseThrow();
            assertThat(answers.get(i)).isEqualTo(new Written(stored.cas(), stored.seqno(), true, false));
            assertThat(stored.cas() & 0xffff).isEqualTo(stored.seqno() & 0xffff);
            assertThat(answers.get(i + 1)).isInstanceOf(WriteResult.AlreadyExists.class);
        }
        assertThat(answers.stream().filter(Written.class::isInstance).map(answer -> ((Written) answer).cas()))
                .doesNotHaveDuplicates();
        assertThat(await(store.highSeqno("b", 0))).isEqualTo(5 * 65_536 + 30);
    }

    /** Insert, remove, insert of one document in one call, in a row of others: the last state has the only row. */
    @Test
    void writesOfOneDocument_keepTheirOrder() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            writes.add(Write.insert(key("d" + i), bytes("1")).withExpiry(Expiry.at(LATER)));
            writes.add(Write.remove(key("d" + i)));
            writes.add(Write.insert(key("d" + i), bytes("2")));
            writes.add(Write.replace(key("d" + i), bytes("3")));
        }

        List<WriteResult> answers = all(writes);

        assertThat(answers).allMatch(Written.class::isInstance);
        List<Mutation> feed = await(store.changes("b", 0, 1).next(1000));
        assertThat(feed).hasSize(50);
        assertThat(feed).allSatisfy(change -> {
            assertThat(text(change.document().body())).isEqualTo("3");
            assertThat(change.document().expiry()).isNull();
            assertThat(change.document().revision()).isEqualTo(4);
            assertThat(change.seqno()).isEqualTo(change.document().seqno());
        });
        assertThat(kit.console().zcard("mr:{b.0}:q")).isEqualTo(51);
        assertThat(kit.console().exists("mr:{b.0}:x")).isZero();
        assertThat(await(store.count(keyspace))).isEqualTo(51);
    }

    @Test
    void read_behindAWriteThatHasNoAnswer_findsIt() {
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            writes.add(store.write(Write.upsert(key("d" + i % 50), bytes("" + i))));
            if (i % 50 == 49) {
                int expected = i;
                assertThat(text(await(store.get(key("d49"))).orElseThrow().body()))
                        .isEqualTo("" + expected);
            }
        }
        writes.forEach(StoreKit::await);
    }

    @Test
    void corruptDocument_failsAlone() {
        kit.console().hset("mr:{b.0}:d:0:d7", "h", "not a header");
        kit.console().set("mr:{b.0}:d:0:d9", "not a hash");
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(store.write(Write.upsert(key("d" + i), bytes("1"))));
        }

        for (int i = 0; i < 20; i++) {
            CompletableFuture<WriteResult> write = writes.get(i);
            if (i == 7 || i == 9) {
                assertThatThrownBy(() -> await(write))
                        .isInstanceOfSatisfying(
                                DocumentsException.class,
                                e -> assertThat(e.code()).isEqualTo(Code.CORRUPT));
            } else {
                assertThat(await(write)).isInstanceOf(Written.class);
            }
        }
        assertThat(await(store.count(keyspace))).isEqualTo(19);
        assertThat(kit.console().zcard("mr:{b.0}:q")).isEqualTo(19);
    }

    private interface Maker {
        Write make(int number);
    }

    private List<WriteResult> all(int count, Maker maker) {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writes.add(maker.make(i));
        }
        return all(writes);
    }

    /** Redis takes no writes until all of them wait, so what goes together does not depend on timing. */
    private List<WriteResult> all(List<Write> writes) {
        client(new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(10_000).add("WRITE"));
        List<CompletableFuture<WriteResult>> answers =
                writes.stream().map(store::write).toList();
        client(new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
        return answers.stream().map(StoreKit::await).toList();
    }

    private void client(CommandArgs<String, String> arguments) {
        kit.console().dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), arguments);
    }

    private long calls() {
        return kit.calls("fcall");
    }

    private DocumentKey key(String id) {
        return new DocumentKey(keyspace, id);
    }
}
