package io.millrace.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The token by which a service identifies itself, made new when half of its lifetime is over. Thread-safe. */
public final class ServiceIdentity implements Supplier<String> {

    private static final Duration RENEWED_AFTER = IdentityTokens.LIFETIME.dividedBy(2);

    private record Issued(String token, Instant renewal) {}

    private final IdentityTokens tokens;
    private final String service;
    private final Clock clock;
    private volatile @Nullable Issued issued;

    /** @param service the name of the service, such as {@code eventing-service} */
    public ServiceIdentity(IdentityTokens tokens, String service, Clock clock) {
        this.tokens = tokens;
        this.service = service;
        this.clock = clock;
    }

    /** Returns a token for the header {@link IdentityTokens#HEADER}, valid for at least half of its lifetime. */
    @Override
    public String get() {
        Issued last = issued;
        Instant now = clock.instant();
        if (last == null || !now.isBefore(last.renewal())) {
            last = new Issued(tokens.issue(Subject.service(service), service), now.plus(RENEWED_AFTER));
            issued = last;
        }
        return last.token();
    }
}
