package io.millrace.accessspring;

import org.springframework.security.core.AuthenticationException;

/** Carries a {@link Refusal} through the filters. */
final class RefusalException extends AuthenticationException {

    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    RefusalException(Refusal refusal) {
        super(refusal.detail());
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
