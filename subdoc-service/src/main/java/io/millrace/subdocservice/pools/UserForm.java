package io.millrace.subdocservice.pools;

import io.millrace.access.Role;
import io.millrace.users.User;
import io.millrace.users.UsersLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * What a request says about a user. A parameter that is missing is null.
 *
 * @param errors what is wrong with the request, by parameter; empty if nothing is
 */
record UserForm(
        @Nullable String fullName,
        @Nullable List<Role> roles,
        @Nullable String password,
        Map<String, String> errors) {

    static final String NAME = "name";
    static final String ROLES = "roles";
    static final String PASSWORD = "password";
    static final String GROUPS = "groups";

    static UserForm read(MultiValueMap<String, String> form) {
        Map<String, String> errors = new TreeMap<>();
        form.toSingleValueMap().forEach((name, value) -> {
            String problem = problem(name, value);
            if (problem != null) {
                errors.put(name, problem);
            }
        });
        String roles = form.getFirst(ROLES);
        return new UserForm(
                form.getFirst(NAME),
                roles == null || errors.containsKey(ROLES) ? null : Role.parseAll(roles),
                form.getFirst(PASSWORD),
                errors);
    }

    private static @Nullable String problem(String name, String value) {
        return switch (name) {
            case NAME ->
                value.length() > UsersLimits.MAX_NAME_CHARS
                        ? "The name must have at most " + UsersLimits.MAX_NAME_CHARS + " characters."
                        : null;
            case ROLES -> rolesProblem(value);
            case PASSWORD -> passwordProblem(value).orElse(null);
            case GROUPS -> value.isBlank() ? null : "Millrace has no groups; grant the roles to the user.";
            default -> "%s is not a parameter of a user in Millrace; leave it out.".formatted(name);
        };
    }

    private static @Nullable String rolesProblem(String value) {
        try {
            return Role.parseAll(value).size() > UsersLimits.MAX_ROLES
                    ? "A user has at most " + UsersLimits.MAX_ROLES + " roles."
                    : null;
        } catch (IllegalArgumentException e) {
            return "Cannot assign roles to user because the following roles are unknown, malformed or role parameters are"
                    + " undefined: " + e.getMessage();
        }
    }

    static Optional<String> passwordProblem(String password) {
        if (password.length() < UsersLimits.MIN_PASSWORD_CHARS) {
            return Optional.of("The password must be at least " + UsersLimits.MIN_PASSWORD_CHARS + " characters long.");
        }
        return password.chars().anyMatch(Character::isISOControl)
                ? Optional.of("The password must not contain control characters.")
                : Optional.empty();
    }

    /**
     * Returns a user as a request to replace it wants it: without the roles and the name that the request leaves out, but with
     * its password.
     */
    User replacing(String user, Optional<User> before) {
        return applied(user, before, fullName == null ? "" : fullName, roles == null ? List.of() : roles);
    }

    /** Returns a user as a request to change it wants it: what the request leaves out stays. */
    User changing(User before) {
        return applied(
                before.name(),
                Optional.of(before),
                fullName == null ? before.fullName() : fullName,
                roles == null ? before.roles() : roles);
    }

    private User applied(String user, Optional<User> before, String newFullName, List<Role> newRoles) {
        if (password == null) {
            return before.orElseThrow().with(newFullName, newRoles);
        }
        return User.create(user, newFullName, newRoles, password);
    }
}
