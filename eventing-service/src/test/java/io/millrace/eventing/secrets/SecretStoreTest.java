package io.millrace.eventing.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretStoreTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z"));
    private static final String OLD_KEY = "01".repeat(32);
    private static final String NEW_KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String URL = "https://api.example.org/v1?x=y";

    private final MetakvClient metakv = MetakvClient.inMemory();

    private SecretStore store(String keys) {
        return SecretStore.on(metakv, keys, CLOCK);
    }

    private String reveal(SecretStore store, String name, String url) {
        return store.reveal(name, url).blockOptional().orElseThrow();
    }

    private String stored() {
        StringBuilder all = new StringBuilder();
        for (MetakvEntry entry : metakv.list("/secrets/").blockOptional().orElseThrow()) {
            all.append(entry.path()).append(' ').append(entry.text()).append('\n');
        }
        return all.toString();
    }

    @Test
    void secret_isStoredEncryptedAndRevealedByName() {
        SecretStore store = store(OLD_KEY);

        store.put("payments", URL, "s3cret").block();

        assertThat(reveal(store, "payments", URL)).isEqualTo("s3cret");
        assertThat(reveal(store(OLD_KEY), "payments", "HTTPS://API.example.org:443/other"))
                .isEqualTo("s3cret");
        String base64 = Base64.getEncoder().encodeToString("s3cret".getBytes(StandardCharsets.UTF_8));
        assertThat(stored())
                .contains("/secrets/payments")
                .doesNotContain("s3cret")
                .doesNotContain(base64);
        assertThat(store.list().block())
                .singleElement()
                .returns("payments", SecretStore.Info::name)
                .returns("https://api.example.org:443", SecretStore.Info::origin)
                .returns(CLOCK.instant(), SecretStore.Info::changed);
    }

    @Test
    void equalSecrets_areNotStoredEqually() {
        SecretStore store = store(OLD_KEY);
        store.put("a", URL, "same").block();
        String first = stored();
        store.put("a", URL, "same").block();

        assertThat(stored()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://api.example.org/",
                "https://api.example.org:444/",
                "https://evil.example.org/",
                "ftp://x/"
            })
    void secret_isNotRevealedForAnotherOrigin(String url) {
        SecretStore store = store(OLD_KEY);
        store.put("payments", URL, "s3cret").block();

        assertThatThrownBy(() -> reveal(store, "payments", url))
                .isInstanceOf(SecretException.class)
                .satisfies(failure -> assertThat(((SecretException) failure).code())
                        .isIn(SecretException.Code.OTHER_ORIGIN, SecretException.Code.INVALID));
    }

    @Test
    void entry_thatWasGivenAnotherOriginOrName_isNotRevealed() {
        SecretStore store = store(OLD_KEY);
        store.put("payments", URL, "s3cret").block();
        byte[] moved = stored().lines()
                .findFirst()
                .orElseThrow()
                .replaceFirst("^\\S+ ", "")
                .replace("api.example.org", "evil.example.org")
                .getBytes(StandardCharsets.UTF_8);
        metakv.set("/secrets/payments", moved).block();
        metakv.get("/secrets/payments")
                .flatMap(entry -> metakv.set("/secrets/other", entry.value()))
                .block();

        for (String name : List.of("payments", "other")) {
            assertThatThrownBy(() -> reveal(store(OLD_KEY), name, "https://evil.example.org/"))
                    .hasMessageContaining("it was changed, or belongs to another name or URL");
        }
    }

    @Test
    void rewrap_movesEverySecretToTheCurrentKey() {
        store(OLD_KEY).put("a", URL, "1").block();
        String kept = store(OLD_KEY).keep(URL, "2").blockOptional().orElseThrow();
        SecretStore both = store(NEW_KEY + "\n" + OLD_KEY + "\n");
        both.put("c", URL, "3").block();

        assertThat(both.rewrap().block()).isEqualTo(2);
        assertThat(both.rewrap().block()).isZero();

        SecretStore fresh = store(NEW_KEY);
        assertThat(List.of(reveal(fresh, "a", URL), reveal(fresh, kept, URL), reveal(fresh, "c", URL)))
                .containsExactly("1", "2", "3");
        assertThatThrownBy(() -> reveal(store(OLD_KEY), "a", URL))
                .hasMessageContaining("which this node does not have");
    }

    @Test
    void keptSecrets_areNotListedAndAreForgottenOneByOne() {
        SecretStore store = store(OLD_KEY);
        String one = store.keep(URL, "1").blockOptional().orElseThrow();
        String two = store.keep(URL, "2").blockOptional().orElseThrow();
        store.put("named", URL, "3").block();

        store.forget(List.of(one, two, "named"), List.of(two)).block();

        assertThat(store.list().block()).extracting(SecretStore.Info::name).containsExactly("named");
        assertThatThrownBy(() -> reveal(store, one, URL)).hasMessageContaining("There is no secret");
        assertThat(reveal(store, two, URL)).isEqualTo("2");
        assertThat(reveal(store, "named", URL)).isEqualTo("3");
    }

    @Test
    void nodeWithoutMasterKey_storesNothing() {
        SecretStore store = store(" ");

        assertThat(store.available()).isFalse();
        assertThatThrownBy(() -> store.put("a", URL, "1").block())
                .hasMessageContaining("this node has no master key. Set MILLRACE_MASTER_KEY_FILE");
        assertThat(stored()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"_own, x", "a/b, x", "'', x", "ok, ''", ".., x"})
    void invalidNameOrValue_isRefused(String name, String value) {
        assertThatThrownBy(() -> store(OLD_KEY).put(name, URL, value).block()).isInstanceOf(SecretException.class);
        assertThat(stored()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"short", "zz", "AAAA", "0102", "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2g"
            })
    void textThatIsNotAKey_isRefused(String text) {
        assertThatThrownBy(() -> store(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32 random bytes")
                .hasMessageNotContaining(text);
    }
}
