package io.millrace.users;

import io.millrace.access.Subject;
import java.time.Duration;

/** What became of an attempt to log in. */
public sealed interface LoginOutcome {

    /** The credentials are right. */
    record Accepted(Subject subject) implements LoginOutcome {}

    /** The user, the password or the key is wrong. */
    record Refused() implements LoginOutcome {}

    /** Too many attempts failed; the credentials were not checked. */
    record Locked(Duration retryAfter) implements LoginOutcome {}

    /** The users have not been read yet, or too many checks are waiting. */
    record Busy() implements LoginOutcome {}
}
