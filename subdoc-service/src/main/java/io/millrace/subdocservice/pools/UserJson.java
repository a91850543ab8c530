package io.millrace.subdocservice.pools;

import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.users.User;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Users and roles as the management API shows them. A role has a member for each part of what it can be granted on. */
final class UserJson {

    private static final String ROLE = "role";
    private static final String ROLES = "roles";

    private UserJson() {}

    static Map<String, Object> of(User user) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", user.name());
        json.put("domain", "local");
        json.put("name", user.fullName());
        json.put(ROLES, user.roles().stream().map(UserJson::granted).toList());
        json.put("groups", List.of());
        json.put("external_groups", List.of());
        return json;
    }

    /** Every role is the user's own: there are no groups that it could come from. */
    private static Map<String, Object> granted(Role role) {
        Map<String, Object> json = role(role.name(), role.target());
        json.put("origins", List.of(Map.of("type", "user")));
        return json;
    }

    static Map<String, Object> of(Subject subject) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", subject.name());
        json.put("domain", subject.domain().name().toLowerCase(Locale.ROOT));
        json.put(
                ROLES,
                subject.roles().stream()
                        .map(role -> role(role.name(), role.target()))
                        .toList());
        return json;
    }

    /** The roles that can be granted. */
    static List<Map<String, Object>> roles() {
        List<Map<String, Object>> roles = new ArrayList<>();
        for (RoleName name : RoleName.values()) {
            Map<String, Object> json = role(name, Target.EVERYTHING);
            json.put("name", name.title());
            json.put("desc", name.description());
            roles.add(json);
        }
        return roles;
    }

    private static Map<String, Object> role(RoleName name, Target target) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(ROLE, name.label());
        if (name.level() == RoleName.Level.TOPIC) {
            json.put("topic_name", target.bucket() == null ? Target.ANY : target.bucket());
            return json;
        }
        int depth = switch (name.level()) {
            case NONE, TOPIC -> 0;
            case BUCKET -> 1;
            case SCOPE -> 2;
            case KEYSPACE -> 3;
        };
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(target.bucket());
        parts.add(target.scope());
        parts.add(target.collection());
        List<String> members = List.of("bucket_name", "scope_name", "collection_name");
        for (int part = 0; part < depth; part++) {
            String value = parts.get(part);
            json.put(members.get(part), value == null ? Target.ANY : value);
        }
        return json;
    }
}
