package io.millrace.accessspring;

import io.millrace.access.ClusterSecret;
import io.millrace.access.IdentityTokens;
import io.millrace.access.PassedTokens;
import io.millrace.access.ServiceIdentity;
import io.millrace.access.SessionTokens;
import io.millrace.access.Subject;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * The identity of this service in the cluster, and the tokens by which it passes on who asks. Without a cluster secret, which
 * is possible only while everything is open, there are no tokens.
 */
public final class ClusterIdentity {

    private final Optional<IdentityTokens> tokens;
    private final Optional<PassedTokens> passed;
    private final Optional<ServiceIdentity> own;
    private final SessionTokens sessions;
    private final ClusterSecret secret;

    /** @param secret the secret of the cluster; without it, sessions are those of this process */
    ClusterIdentity(Optional<ClusterSecret> secret, String service, Clock clock) {
        this.tokens = secret.map(known -> new IdentityTokens(known, clock));
        this.secret = secret.orElseGet(ClusterSecret::random);
        this.sessions = new SessionTokens(this.secret, clock);
        this.passed = tokens.map(known -> new PassedTokens(known, service, clock));
        this.own = tokens.map(known -> new ServiceIdentity(known, service, clock));
    }

    Optional<IdentityTokens> tokens() {
        return tokens;
    }

    SessionTokens sessions() {
        return sessions;
    }

    /** Returns a key for one purpose, which all services of the cluster with this secret have; without one, only this process. */
    public byte[] key(String purpose) {
        return secret.derived(purpose);
    }

    /** Returns the headers by which this service identifies itself; none without a cluster secret. */
    public Map<String, String> headers() {
        return headers(ownToken());
    }

    /** Returns the headers that pass on a subject; none for a request without credentials, or without a cluster secret. */
    public Map<String, String> headersFor(Subject subject) {
        return subject.domain() == Subject.Domain.ANONYMOUS ? Map.of() : headers(tokenFor(subject));
    }

    private static Map<String, String> headers(Optional<String> token) {
        return token.map(text -> Map.of(IdentityTokens.HEADER, text)).orElseGet(Map::of);
    }

    /** Returns the token of this service for {@link IdentityTokens#HEADER}, valid for at least 30 s. */
    private Optional<String> ownToken() {
        return own.map(ServiceIdentity::get);
    }

    /** Returns a token that passes on a subject. */
    private Optional<String> tokenFor(Subject subject) {
        return subject.domain() == Subject.Domain.SERVICE ? ownToken() : passed.map(known -> known.of(subject));
    }
}
