package io.millrace.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionTokensTest {

    private static final ClusterSecret SECRET = ClusterSecret.parse("a secret of 32 characters or more");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final byte[] STAMP = {1, 2, 3};

    private static SessionTokens at(Instant moment) {
        return new SessionTokens(SECRET, Clock.fixed(moment, ZoneOffset.UTC));
    }

    private static Optional<String> user(SessionTokens tokens, String token, byte[] stamp) {
        return tokens.user(token, name -> Optional.of(stamp));
    }

    @Test
    void aToken_namesItsUserUntilItExpires() {
        String token = at(NOW).issue("Zoë.x", STAMP);

        assertThat(user(at(NOW), token, STAMP)).contains("Zoë.x");
        Duration almost = SessionTokens.LIFETIME.minusSeconds(1);
        assertThat(user(at(NOW.plus(almost)), token, STAMP)).contains("Zoë.x");
        assertThat(user(at(NOW.plus(SessionTokens.LIFETIME)), token, STAMP)).isEmpty();
    }

    @Test
    void aNewPassword_aDeletedUserAndAnotherCluster_endASession() {
        String token = at(NOW).issue("ann", STAMP);

        assertThat(user(at(NOW), token, new byte[] {1, 2, 4})).isEmpty();
        assertThat(at(NOW).user(token, name -> Optional.empty())).isEmpty();
        SessionTokens others = new SessionTokens(
                ClusterSecret.parse("another secret of 32 characters!"), Clock.fixed(NOW, ZoneOffset.UTC));
        assertThat(user(others, token, STAMP)).isEmpty();
    }

    @Test
    void aTokenThatWasChanged_isRefused() {
        String token = at(NOW).issue("ann", STAMP);

        for (int i = 0; i < token.length() - 1; i++) { // the last character has bits that decoding ignores
            String changed = token.substring(0, i) + (token.charAt(i) == 'A' ? 'B' : 'A') + token.substring(i + 1);
            assertThat(user(at(NOW), changed, STAMP)).as(changed).isEmpty();
        }
        assertThat(user(at(NOW), "", STAMP)).isEmpty();
        assertThat(user(at(NOW), "s1.x.y.z", STAMP)).isEmpty();
    }
}
