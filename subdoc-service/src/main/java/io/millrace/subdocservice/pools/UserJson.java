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
        Map<String, Object> json = role(role);
        json.put("origins", List.of(Map.of("type", "user")));
        return json;
    }

    static Map<String, Object> of(Subject subject) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", subject.name());
        json.put("domain", subject.domain().name().toLowerCase(Locale.ROOT));
        json.put(ROLES, subject.roles().stream().map(UserJson::role).toList());
        return json;
    }

    /** The roles that can be granted. */
    static List<Map<String, Object>> roles() {
        List<Map<String, Object>> roles = new ArrayList<>();
        for (RoleName name : RoleName.values()) {
            Map<String, Object> json = role(new Role(name, Target.EVERYTHING));
            json.put("name", name.title());
            json.put("desc", name.description());
            roles.add(json);
        }
        return roles;
    }

    private static Map<String, Object> role(Role role) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(ROLE, role.name().label());
        json.putAll(role.parameters());
        return json;
    }
}
