package io.millrace.eventing.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What any store of answers does. */
abstract class AnswerStoreContract {

    private final String key = UUID.randomUUID().toString();

    abstract AnswerStore store();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void key_isClaimedOnce() {
        List<Boolean> granted = IntStream.range(0, 20)
                .mapToObj(i -> store().claim(key, bytes("claim " + i)))
                .map(CompletableFuture::join)
                .map(known -> known.isEmpty())
                .toList();

        assertThat(granted).containsOnlyOnce(true);
        assertThat(store().claim(key, bytes("x")).join())
                .hasValueSatisfying(record -> assertThat(record).isEqualTo(bytes("claim 0")));
    }

    @Test
    void record_isReplaced() {
        store().claim(key, bytes("open")).join();

        store().replace(key, bytes("ended")).join();
        assertThat(store().claim(key, bytes("x")).join())
                .hasValueSatisfying(record -> assertThat(record).isEqualTo(bytes("ended")));
    }

    @Test
    void claimThatIsRepeated_isGrantedAgain() {
        store().claim(key, bytes("open")).join();

        assertThat(store().claim(key, bytes("open")).join()).isEmpty();
    }

    @Test
    void key_isReleasedByItsOwnClaim() {
        store().claim(key, bytes("open")).join();

        store().release(key, bytes("other")).join();
        assertThat(store().claim(key, bytes("x")).join()).isPresent();
        store().release(key, bytes("open")).join();
        assertThat(store().claim(key, bytes("x")).join()).isEmpty();
    }

    @Test
    void keyThatIsNotClaimed_isNotReplaced() {
        store().replace(key, bytes("ended")).join();

        assertThat(store().claim(key, bytes("x")).join()).isEmpty();
    }

    @Test
    void bytesOfAFunction_haveALimit() {
        String function = UUID.randomUUID().toString();

        assertThat(store().reserve(function, AnswerStore.MAX_BYTES_PER_FUNCTION).join())
                .isTrue();
        assertThat(store().reserve(function, 1).join()).isFalse();
        assertThat(store().reserve(function + "2", 1).join()).isTrue();
    }
}
