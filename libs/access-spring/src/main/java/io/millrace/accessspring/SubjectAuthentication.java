package io.millrace.accessspring;

import io.millrace.access.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** A subject as Spring Security passes it on; its rights are not Spring's authorities but {@code Access.allowed}. */
final class SubjectAuthentication extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1;

    private final transient Subject subject;

    SubjectAuthentication(Subject subject) {
        super(List.of());
        this.subject = subject;
        setAuthenticated(true);
    }

    Subject subject() {
        return subject;
    }

    @Override
    public Object getPrincipal() {
        return subject.name();
    }

    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubjectAuthentication that && that.subject.equals(subject);
    }

    @Override
    public int hashCode() {
        return subject.hashCode();
    }
}
