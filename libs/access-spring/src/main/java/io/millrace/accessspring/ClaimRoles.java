package io.millrace.accessspring;

import io.millrace.access.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The roles that values of a claim stand for, written as {@code operators=admin; sales=data_reader[orders],query_select[orders]}. */
final class ClaimRoles {

    private final Map<String, List<Role>> roles;

    private ClaimRoles(Map<String, List<Role>> roles) {
        this.roles = roles;
    }

    /** @throws IllegalStateException if the text maps nothing, or names a role that does not exist */
    static ClaimRoles parse(String text) {
        Map<String, List<Role>> roles = new HashMap<>();
        for (String entry : text.split(";", -1)) {
            if (!entry.isBlank()) {
                int equals = entry.lastIndexOf('='); // values such as cn=sales,dc=example contain it, roles do not
                String value = equals < 0 ? "" : entry.substring(0, equals).strip();
                List<Role> granted = granted(entry.substring(equals + 1), entry);
                if (value.isEmpty() || granted.isEmpty()) {
                    throw unusable(entry, "expected VALUE=ROLE,ROLE", null);
                }
                roles.merge(value, granted, ClaimRoles::joined);
            }
        }
        if (roles.isEmpty()) {
            throw new IllegalStateException(
                    "MILLRACE_OIDC_ISSUER is set, but MILLRACE_OIDC_ROLES is not, so no token would"
                            + " have a role. Set it to the roles for each value of the claim, such as operators=admin;"
                            + " sales=data_reader[orders].");
        }
        return new ClaimRoles(Map.copyOf(roles));
    }

    private static List<Role> granted(String text, String entry) {
        try {
            return Role.parseAll(text);
        } catch (IllegalArgumentException e) {
            throw unusable(entry, String.valueOf(e.getMessage()), e);
        }
    }

    private static IllegalStateException unusable(String entry, String reason, @Nullable Throwable cause) {
        return new IllegalStateException(
                "MILLRACE_OIDC_ROLES has '" + entry.strip() + "', which is not usable: " + reason + ".", cause);
    }

    private static List<Role> joined(List<Role> one, List<Role> other) {
        Set<Role> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return List.copyOf(all);
    }

    /** Returns the roles of a user with these values of the claim; values without roles are ignored. */
    List<Role> of(Collection<String> values) {
        Set<Role> granted = new LinkedHashSet<>();
        values.forEach(value -> granted.addAll(roles.getOrDefault(value, List.of())));
        return List.copyOf(granted);
    }

    /** Returns the values of a claim; its name may be a path through nested claims, such as {@code realm_access.roles}. */
    static List<String> values(Map<String, Object> claims, String name) {
        Object value = claims.get(name); // first as it stands: names that are URLs contain dots
        int dot = name.indexOf('.');
        if (value == null && dot > 0 && claims.get(name.substring(0, dot)) instanceof Map<?, ?> nested) {
            Map<String, Object> inner = new HashMap<>();
            nested.forEach((key, each) -> inner.put(String.valueOf(key), each));
            return values(inner, name.substring(dot + 1));
        }
        List<String> values = new ArrayList<>();
        if (value instanceof Collection<?> several) {
            several.forEach(each -> values.add(String.valueOf(each)));
        } else if (value instanceof String text) {
            values.addAll(List.of(text.strip().split("\\s+", -1))); // as in the claim scope
        }
        return values;
    }
}
