package io.millrace.couch.rights;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Who asks, as functions of design documents see it: {@code userCtx}. */
public final class UserContext {

    private UserContext() {}

    public static ObjectNode of(String database, Subject subject) {
        return of(subject).put("db", database);
    }

    /** Returns the same without a database, as {@code _session} has it. */
    public static ObjectNode of(Subject subject) {
        ObjectNode user = JsonMapper.shared().createObjectNode();
        user.put("name", subject.domain() == Subject.Domain.ANONYMOUS ? null : subject.name());
        ArrayNode roles = user.putArray("roles");
        if (subject.domain() == Subject.Domain.SERVICE) {
            roles.add(SecurityObject.spelled(Role.ADMIN));
        }
        subject.roles().forEach(role -> roles.add(SecurityObject.spelled(role)));
        return user;
    }
}
