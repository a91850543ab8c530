package io.millrace.eventing.versions;

import java.util.List;

/**
 * The user with whose rights a function runs: the one who saved its code or its bindings last.
 *
 * @param external whether the user belongs to an identity provider
 * @param roles the roles of an external user when the function was saved, which no service can look up; empty for others
 */
public record FunctionOwner(String name, boolean external, List<String> roles) {

    public FunctionOwner {
        roles = List.copyOf(roles);
    }
}
