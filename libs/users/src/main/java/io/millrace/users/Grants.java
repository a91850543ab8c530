package io.millrace.users;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import java.util.Collection;
import java.util.Optional;

/** Who may grant and take away roles, among those who may manage users. */
public final class Grants {

    private Grants() {}

    /**
     * Returns why a subject may not change something that has these roles before or afterwards, or nothing if it may. Only a
     * full administrator touches what has the role of an administrator: otherwise a security administrator could become one
     * by a role, or by a password.
     */
    public static Optional<String> objection(Subject asker, Collection<Role> touched) {
        if (asker.domain() == Subject.Domain.SERVICE || asker.roles().contains(Role.ADMIN)) {
            return Optional.empty();
        }
        return touched.stream()
                .filter(role -> role.name().administrative())
                .findFirst()
                .map(role -> "Only a full administrator changes what has the role " + role);
    }
}
