package io.millrace.eventing.functions;

import io.millrace.eventing.configuration.MetakvCalls;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.secrets.SecretException;
import io.millrace.eventing.secrets.SecretStore;
import java.util.List;
import java.util.Objects;

/** The secrets that users store for functions. Methods block. */
public final class FunctionSecrets {

    private final SecretStore secrets;
    private final FunctionStore functions;

    FunctionSecrets(SecretStore secrets, FunctionStore functions) {
        this.secrets = secrets;
        this.functions = functions;
    }

    /**
     * A secret without its value.
     *
     * @param functions the names of the functions that use it
     */
    public record Listed(SecretStore.Info secret, List<String> functions) {}

    /** Returns all secrets that users have named, ordered by name. */
    public List<Listed> list() {
        List<SecretStore.Info> all = Objects.requireNonNull(MetakvCalls.read(secrets.list()));
        return all.stream()
                .map(secret -> new Listed(secret, usersOf(secret.name())))
                .toList();
    }

    private List<String> usersOf(String name) {
        return functions.all().stream()
                .filter(function -> function.definition().secrets().contains(name))
                .map(function -> function.name().toString())
                .toList();
    }

    /** Stores a secret; functions whose bindings send it are restarted with the new value. @param url where it may be sent */
    public void put(String name, String url, String value) {
        MetakvCalls.write(secrets.put(name, url, value));
    }

    /** Stores a secret that the code of a function may read; it takes the new value without a pause, if it can. */
    public void put(String name, FunctionName function, String value) {
        MetakvCalls.write(secrets.put(name, function, value));
    }

    /** Deletes a secret that no function uses; fails with NOT_FOUND or IN_USE. */
    public void delete(String name) {
        List<String> users = usersOf(name);
        if (!users.isEmpty()) {
            throw SecretException.inUse(name, users);
        }
        if (list().stream().noneMatch(listed -> listed.secret().name().equals(name))) {
            throw SecretException.notFound(name);
        }
        MetakvCalls.write(secrets.delete(name));
    }

    /** Encrypts all secrets with the current master key, and returns how many were under another one. */
    public int rewrap() {
        return Objects.requireNonNull(MetakvCalls.write(secrets.rewrap()));
    }
}
