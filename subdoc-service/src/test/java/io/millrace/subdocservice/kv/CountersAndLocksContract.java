package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Counters and locks, over every store. */
abstract class CountersAndLocksContract extends CommandsContract {

    @Test
    void counter_isCreatedWithItsInitialValue() throws IOException {
        expect(Status.KEY_ENOENT, count(Opcode.INCREMENT, 1, 10, -1));

        assertThat(expect(Status.SUCCESS, count(Opcode.INCREMENT, 1, 10, 0)).value())
                .isEqualTo(Call.numbers(10L));

        assertThat(get().text()).isEqualTo("10");
        assertThat(expect(Status.SUCCESS, count(Opcode.INCREMENT, 5, 0, 0)).value())
                .isEqualTo(Call.numbers(15L));
        assertThat(expect(Status.SUCCESS, count(Opcode.DECREMENT, 4, 0, 0)).value())
                .isEqualTo(Call.numbers(11L));
        expect(Status.EINVAL, client.call(counter(Opcode.INCREMENT, 1, 1, 0).withCas(1)));
    }

    @Test
    void counter_hasBounds() throws IOException {
        expect(Status.SUCCESS, set("18446744073709551615", 3, 100));
        assertThat(expect(Status.SUCCESS, count(Opcode.INCREMENT, 1, 0, 0)).value())
                .isEqualTo(Call.numbers(0L));
        assertThat(expect(Status.SUCCESS, count(Opcode.DECREMENT, 1, 0, 0)).value())
                .isEqualTo(Call.numbers(0L));
        assertThat(expect(Status.SUCCESS, count(Opcode.INCREMENT, -1, 0, 0)).value())
                .isEqualTo(Call.numbers(-1L));

        assertThat(get().text()).isEqualTo("18446744073709551615");
        assertThat(get().extras()).isEqualTo(Call.numbers(3));
        assertThat(document().expiry()).isNotNull();
    }

    @Test
    void counter_onADocumentThatIsNotANumber_fails() throws IOException {
        for (String body : new String[] {"", "-1", "1.0", "1 ", "x", "18446744073709551616", "{\"n\":1}"}) {
            expect(Status.SUCCESS, set(body, 0, 0));
            expect(Status.DELTA_BADVAL, count(Opcode.INCREMENT, 1, 0, 0));
        }
    }

    @Test
    void lock_keepsOthersFromWriting() throws IOException {
        expect(Status.KEY_ENOENT, lock(10));
        expect(Status.SUCCESS, set("1", 7, 0));

        Answer lock = expect(Status.SUCCESS, lock(10));

        assertThat(lock.text()).isEqualTo("1");
        assertThat(lock.extras()).isEqualTo(Call.numbers(7));
        assertThat(expect(Status.SUCCESS, get()).cas()).isEqualTo(-1);
        expect(Status.LOCKED, lock(10));
        expect(Status.LOCKED, set("2", 0, 0));
        expect(Status.LOCKED, client.call(setCall("2", 0, 0).withCas(-1)));
        expect(Status.LOCKED, client.call(storeCall(Opcode.REPLACE, "2", 0, 0)));
        expect(Status.KEY_EEXISTS, client.call(storeCall(Opcode.ADD, "2", 0, 0)));
        expect(Status.LOCKED, client.call(Call.of(Opcode.DELETE, KEY)));
        expect(Status.LOCKED, client.call(Call.of(Opcode.APPEND, KEY).withValue("2")));
        expect(Status.LOCKED, count(Opcode.INCREMENT, 1, 1, 0));
        expect(Status.LOCKED, client.call(Call.of(Opcode.TOUCH, KEY).withExtras(Call.numbers(10))));
        expect(Status.LOCKED, client.call(Call.of(Opcode.GAT, KEY).withExtras(Call.numbers(10))));
        expect(Status.SUCCESS, client.call(setCall("2", 0, 0).withCas(lock.cas())));
        assertThat(get().cas()).isPositive();
    }

    @Test
    void lock_endsByItselfAfterItsTime() throws IOException {
        expect(Status.SUCCESS, set("1", 0, 0));
        lock(10);
        clock.advance(Duration.ofSeconds(10));
        expect(Status.SUCCESS, set("2", 0, 0));

        for (int strange : new int[] {0, 31, -1}) {
            expect(Status.SUCCESS, lock(strange));
            clock.advance(Duration.ofMillis(14_999));
            expect(Status.LOCKED, set("3", 0, 0));
            clock.advance(Duration.ofMillis(1));
            expect(Status.SUCCESS, set("3", 0, 0));
        }
    }

    @Test
    void unlock_needsTheCasOfTheLock() throws IOException {
        expect(Status.KEY_ENOENT, client.call(Call.of(Opcode.UNLOCK, KEY).withCas(1)));
        long cas = set("1", 0, 0).cas();
        expect(Status.EINVAL, client.call(Call.of(Opcode.UNLOCK, KEY)));
        expect(Status.NOT_LOCKED, client.call(Call.of(Opcode.UNLOCK, KEY).withCas(cas)));
        long lock = lock(10).cas();

        expect(Status.LOCKED, client.call(Call.of(Opcode.UNLOCK, KEY).withCas(cas)));
        expect(Status.SUCCESS, client.call(Call.of(Opcode.UNLOCK, KEY).withCas(lock)));

        expect(Status.NOT_LOCKED, client.call(Call.of(Opcode.UNLOCK, KEY).withCas(lock)));
        expect(Status.SUCCESS, set("2", 0, 0));
    }

    @Test
    void locked_withoutExtendedErrors_isTemporary() throws IOException {
        expect(Status.SUCCESS, set("1", 0, 0));
        lock(10);
        try (MemcachedClient old = kit.open(bucket)) {
            expect(Status.ETMPFAIL, old.call(setCall("2", 0, 0)));
            expect(Status.ETMPFAIL, old.call(Call.of(Opcode.GET_LOCKED, KEY)));
        }
    }

    @Test
    void concurrentCounting_losesNothing() throws Exception {
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            MemcachedClient own = kit.open(bucket, KvKit.ALL);
            threads[t] = Thread.ofVirtual().start(() -> {
                try (own) {
                    for (int i = 0; i < 25; i++) {
                        expect(Status.SUCCESS, own.call(counter(Opcode.INCREMENT, 1, 1, 0)));
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(get().text()).isEqualTo("200");
    }
}
