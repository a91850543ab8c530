package io.millrace.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens by which a service passes on whom it has authenticated. Requests of one subject that follow each other have the
 * same token for some seconds, so that neither side signs and reads one for each. A subject whose roles change is another one
 * and gets a token of its own. Thread-safe.
 */
public final class PassedTokens {

    /** How long a token is given out again. */
    static final Duration REUSED = IdentityTokens.LIFETIME.dividedBy(6);

    private static final int MAX_REMEMBERED = 1000;

    private record Issued(String token, Instant renewal) {}

    private final IdentityTokens tokens;
    private final String service;
    private final Clock clock;
    private final Map<Subject, Issued> issued = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Issued> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /** @param service the name of the service that passes subjects on, such as {@code ui-gateway} */
    public PassedTokens(IdentityTokens tokens, String service, Clock clock) {
        this.tokens = tokens;
        this.service = service;
        this.clock = clock;
    }

    /** Returns a token for the header {@link IdentityTokens#HEADER}, valid for at least 50 s. */
    public String of(Subject subject) {
        Instant now = clock.instant();
        synchronized (issued) {
            @Nullable Issued last = issued.get(subject);
            if (last == null || !now.isBefore(last.renewal())) {
                last = new Issued(tokens.issue(subject, service), now.plus(REUSED));
                issued.put(subject, last);
            }
            return last.token();
        }
    }
}
