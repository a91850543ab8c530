package io.millrace.launcher.suite;

import io.millrace.launcher.gateway.Login;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The login of the administrator in the data directory, for commands and for curl. The password is the configured one, or
 * a random one that is made at the first start.
 */
public final class AdministratorLogin {

    private static final String FILE = "login";
    private static final String USER = "Administrator";
    private static final String PASSWORD_VARIABLE = "MILLRACE_ADMIN_PASSWORD";
    private static final String PASSWORD_FILE_VARIABLE = "MILLRACE_ADMIN_PASSWORD_FILE";

    private AdministratorLogin() {}

    /** Returns the file of a data directory. */
    public static Path file(Path data) {
        return data.resolve(FILE);
    }

    /** Writes a login that replaces the one of the data directory. */
    public static void write(Path data, Login login) {
        SecretFile.replace(data, FILE, login.text());
    }

    /**
     * Makes the file; the services are given the password by a variable or another file.
     *
     * @param authority the authority of the gateway's certificate, or null if it has none
     */
    static void ensure(Path data, Map<String, String> environment, @Nullable Path authority) {
        String configured = given(PASSWORD_VARIABLE, environment);
        String passwordFile = given(PASSWORD_FILE_VARIABLE, environment);
        Login login;
        if (configured != null) {
            login = new Login(USER, configured);
        } else {
            login = Login.read(file(data))
                    .orElseGet(() -> new Login(
                            USER, passwordFile == null ? SecretFile.random() : SecretFile.read(Path.of(passwordFile))));
            if (passwordFile == null && login.user().equals(USER)) {
                environment.put(
                        PASSWORD_FILE_VARIABLE,
                        SecretFile.write(data, "administrator", login.password() + "\n")
                                .toString());
            }
        }
        Login wanted = login.trusting(authority);
        if (!Login.read(file(data)).equals(Optional.of(wanted))) {
            write(data, wanted);
        }
    }

    private static @Nullable String given(String variable, Map<String, String> environment) {
        String value = environment.getOrDefault(variable, System.getenv(variable));
        return value == null || value.isBlank() ? null : value.strip();
    }
}
