package io.millrace.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class IdentityTokensTest {

    private static final String OLD = "an old secret of 32 characters..";
    private static final String NEW = "a new secret of 32 characters...";
    private static final Subject ANN = Subject.user(
            "ann.o'neill", Subject.Domain.LOCAL, Role.parseAll("data_reader[orders:shop],query_select[orders]"));

    private final MovableClock clock = new MovableClock();
    private final IdentityTokens tokens = new IdentityTokens(ClusterSecret.parse(OLD), clock);

    static Stream<Subject> subjects() {
        return Stream.of(
                ANN,
                Subject.user("Zoë", Subject.Domain.EXTERNAL, List.of()),
                Subject.service("eventing-service"),
                Subject.open(),
                Subject.anonymous());
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void aToken_carriesItsSubject(Subject subject) {
        assertThat(tokens.verify(tokens.issue(subject, "ui-gateway"))).contains(subject);
    }

    @Test
    void aToken_withOneChangedCharacterIsRefused() {
        String token = tokens.issue(ANN, "ui-gateway");

        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            String changed = token.substring(0, i) + other + token.substring(i + 1);
            // the last character of a field has bits that mean nothing
            if (!tokens.verify(changed).isEmpty()) {
                assertThat(i).isEqualTo(token.length() - 1);
            }
        }
    }

    @Test
    void aTokenOfAnotherCluster_isRefused() {
        IdentityTokens others = new IdentityTokens(ClusterSecret.parse(NEW), clock);

        assertThat(tokens.verify(others.issue(ANN, "ui-gateway"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-31, false", "-30, true", "0, true", "60, true", "90, true", "91, false"})
    void aToken_isValidForItsLifetimeAndTheToleranceOfClocks(long seconds, boolean valid) {
        String token = tokens.issue(ANN, "ui-gateway");

        clock.now = clock.now.plusSeconds(seconds);

        assertThat(tokens.verify(token).isPresent()).isEqualTo(valid);
    }

    @Test
    void aTokenThatWasVerified_expiresAsAnyOther() {
        String token = tokens.issue(ANN, "ui-gateway");
        assertThat(tokens.verify(token)).contains(ANN);

        clock.now = clock.now.plusSeconds(91);
        assertThat(tokens.verify(token)).isEmpty();

        clock.now = clock.now.minusSeconds(91 + 31);
        assertThat(tokens.verify(token)).isEmpty();
    }

    @Test
    void whatIsNotAToken_isRefused() {
        assertThat(tokens.verify("")).isEmpty();
        assertThat(tokens.verify("......")).isEmpty();
        assertThat(tokens.verify("i1.x.x.x.x.x.x")).isEmpty();
        assertThat(tokens.verify("i1." + Long.MAX_VALUE + ".x.SERVICE.x.x.x")).isEmpty();
    }

    @Test
    void aChangedSecret_verifiesTokensOfBoth() {
        IdentityTokens both = new IdentityTokens(ClusterSecret.parse(NEW + "\n" + OLD + "\n"), clock);
        IdentityTokens fresh = new IdentityTokens(ClusterSecret.parse(NEW), clock);

        assertThat(both.verify(tokens.issue(ANN, "ui-gateway"))).contains(ANN);
        assertThat(fresh.verify(both.issue(ANN, "ui-gateway"))).contains(ANN);
    }

    @Test
    void aShortSecret_isRefused() {
        assertThatThrownBy(() -> ClusterSecret.parse("short"))
                .hasMessage("The cluster secret has 5 characters; use at least 32 random ones");
        assertThatThrownBy(() -> ClusterSecret.parse("\n")).hasMessageContaining("is empty");
        assertThat(ClusterSecret.parse(OLD)).hasToString("ClusterSecret[hidden]");
    }

    @Test
    void theTokenOfAService_isUsedForHalfItsLifetime() {
        ServiceIdentity identity = new ServiceIdentity(tokens, "eventing-service", clock);
        String first = identity.get();

        clock.now = clock.now.plus(Duration.ofSeconds(29));
        assertThat(identity.get()).isSameAs(first);

        clock.now = clock.now.plus(Duration.ofSeconds(1));
        assertThat(identity.get()).isNotEqualTo(first);
        assertThat(tokens.verify(identity.get())).contains(Subject.service("eventing-service"));
    }

    @Test
    void passedSubjects_keepTheirTokenForSomeSeconds() {
        PassedTokens passed = new PassedTokens(tokens, "ui-gateway", clock);
        String first = passed.of(ANN);
        Subject promoted = Subject.user(ANN.name(), ANN.domain(), List.of(Role.ADMIN));

        assertThat(tokens.verify(passed.of(promoted))).contains(promoted);
        clock.now = clock.now.plus(PassedTokens.REUSED).minusSeconds(1);
        assertThat(passed.of(ANN)).isSameAs(first);

        clock.now = clock.now.plusSeconds(1);
        assertThat(passed.of(ANN)).isNotEqualTo(first);
        assertThat(tokens.verify(passed.of(ANN))).contains(ANN);
    }

    private static final class MovableClock extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
