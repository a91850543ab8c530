package io.millrace.accessspring;

import io.millrace.access.IdentityTokens;
import io.millrace.access.ServiceIdentity;
import io.millrace.access.Subject;
import java.time.Clock;
import java.util.Optional;

/**
 * The identity of this service in the cluster, and the tokens by which it passes on who asks. Without a cluster secret, which
 * is possible only while everything is open, there are no tokens.
 */
public final class ClusterIdentity {

    private final Optional<IdentityTokens> tokens;
    private final String service;
    private final Optional<ServiceIdentity> own;

    ClusterIdentity(Optional<IdentityTokens> tokens, String service, Clock clock) {
        this.tokens = tokens;
        this.service = service;
        this.own = tokens.map(known -> new ServiceIdentity(known, service, clock));
    }

    Optional<IdentityTokens> tokens() {
        return tokens;
    }

    /** Returns the token of this service for {@link IdentityTokens#HEADER}, valid for at least 30 s. */
    public Optional<String> ownToken() {
        return own.map(ServiceIdentity::get);
    }

    /** Returns a token that passes on a subject. */
    public Optional<String> tokenFor(Subject subject) {
        return subject.domain() == Subject.Domain.SERVICE
                ? ownToken()
                : tokens.map(known -> known.issue(subject, service));
    }
}
