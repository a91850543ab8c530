package io.millrace.subdocservice.users;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The administrator.
 *
 * @param adminName the name of the administrator
 * @param adminPassword the password that the administrator gets at every start, unless it is blank
 * @param adminPasswordFile the file with the password of the administrator who is created if there are no users
 */
@ConfigurationProperties("millrace.users")
record UsersSettings(
        @DefaultValue("Administrator") String adminName,
        @DefaultValue("") String adminPassword,
        @DefaultValue("") String adminPasswordFile) {

    /** @throws IllegalStateException if the file cannot be read or is empty */
    String firstPassword() {
        if (adminPasswordFile.isBlank()) {
            return "";
        }
        try {
            String password =
                    Files.readString(Path.of(adminPasswordFile.strip())).strip();
            if (!password.isEmpty()) {
                return password;
            }
        } catch (IOException e) {
            throw unusable(e.toString(), e);
        }
        throw unusable("it is empty", null);
    }

    private IllegalStateException unusable(String reason, @Nullable Throwable cause) {
        return new IllegalStateException(
                "MILLRACE_ADMIN_PASSWORD_FILE names " + adminPasswordFile + ", which is not usable: " + reason
                        + ". Name a file with the password of the first administrator.",
                cause);
    }
}
