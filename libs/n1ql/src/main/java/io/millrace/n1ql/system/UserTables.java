package io.millrace.n1ql.system;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.keyspace.StatementRights.Role;
import io.millrace.n1ql.keyspace.StatementRights.User;
import io.millrace.n1ql.plan.operator.SystemTables.Entry;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables of {@code system:} about users and roles. Only those who may list users see more than themselves. */
public final class UserTables {

    /** Each role is the user's own: there are no groups that it could come from. */
    private static final Value OWN = ArrayValue.of(ObjectValue.of("type", Value.of("user")));

    private final ServiceCatalog service;

    public UserTables(ServiceCatalog service) {
        this.service = service;
    }

    /** Returns the only row of {@code my_user_info}: the user of the run. */
    public static List<Entry> own(Execution execution) {
        User user = execution.rights().user();
        Map<String, Value> fields = identity(user);
        List<Value> roles = new ArrayList<>();
        user.roles().forEach(role -> roles.add(ObjectValue.of(granted(role))));
        fields.put("roles", ArrayValue.of(roles));
        return List.of(new Entry(user.name(), ObjectValue.of(fields)));
    }

    /** Returns the rows of {@code user_info}. */
    public List<Entry> users(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (User user : listed(execution)) {
            Map<String, Value> fields = identity(user);
            fields.put("name", Value.of(user.fullName()));
            fields.put("groups", ArrayValue.of(List.of()));
            fields.put("external_groups", ArrayValue.of(List.of()));
            List<Value> roles = new ArrayList<>();
            for (Role role : user.roles()) {
                Map<String, Value> granted = granted(role);
                granted.put("origins", OWN);
                roles.add(ObjectValue.of(granted));
            }
            fields.put("roles", ArrayValue.of(roles));
            entries.add(new Entry(user.domain() + ":" + user.name(), ObjectValue.of(fields)));
        }
        return entries;
    }

    /** Returns the rows of {@code applicable_roles}: each role of each user. */
    public List<Entry> roles(Execution execution) {
        List<Entry> entries = new ArrayList<>();
        for (User user : listed(execution)) {
            for (Role role : user.roles()) {
                Map<String, Value> fields = granted(role);
                fields.put("grantee", Value.of(user.name()));
                entries.add(new Entry(Integer.toString(entries.size()), ObjectValue.of(fields)));
            }
        }
        return entries;
    }

    /** Returns the rows of {@code group_info}: none, since roles are granted to users. */
    public List<Entry> groups(Execution execution) {
        requireUsers(execution);
        return List.of();
    }

    private List<User> listed(Execution execution) {
        requireUsers(execution);
        return service.users();
    }

    private static void requireUsers(Execution execution) {
        StatementRights rights = execution.rights();
        if (!rights.showsUsers()) {
            throw QueryException.usersNotAllowed(rights);
        }
    }

    private static Map<String, Value> identity(User user) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("domain", Value.of(user.domain()));
        fields.put("id", Value.of(user.name()));
        return fields;
    }

    private static Map<String, Value> granted(Role role) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("role", Value.of(role.name()));
        role.parameters().forEach((part, name) -> fields.put(part, Value.of(name)));
        return fields;
    }
}
