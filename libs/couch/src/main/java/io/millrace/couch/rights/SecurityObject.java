package io.millrace.couch.rights;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The {@code _security} of a database: administrators and members by name and by role. */
record SecurityObject(Group admins, Group members) {

    /** Users by name and by role; {@code _admin} is the role of full administrators. */
    record Group(Set<String> names, Set<String> roles) {

        private static Group of(JsonNode json) {
            return new Group(texts(json.path("names")), texts(json.path("roles")));
        }

        private static Set<String> texts(JsonNode list) {
            Set<String> texts = new HashSet<>();
            list.forEach(text -> texts.add(text.asString("")));
            return texts;
        }

        boolean isEmpty() {
            return names.isEmpty() && roles.isEmpty();
        }

        boolean has(Subject subject) {
            return (subject.known() && names.contains(subject.name()))
                    || subject.roles().stream().anyMatch(role -> roles.contains(spelled(role)));
        }
    }

    /** @param json the stored object, or null if there is none */
    static SecurityObject of(byte @Nullable [] json) {
        JsonNode stored = json == null
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(json);
        return new SecurityObject(Group.of(stored.path("admins")), Group.of(stored.path("members")));
    }

    /** Returns a role as CouchDB's clients know it. */
    static String spelled(Role role) {
        return role.equals(Role.ADMIN) ? "_admin" : role.toString();
    }
}
