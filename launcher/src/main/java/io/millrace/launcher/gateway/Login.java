package io.millrace.launcher.gateway;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A user and a password in a file that curl reads as well: {@code curl -K FILE URL}. The file is as secret as the password.
 */
public record Login(String user, String password) {

    private static final Pattern LINE = Pattern.compile("(?m)^\\s*user\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*$");

    /** Reads a file; empty if there is none. */
    public static Optional<Login> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.UTF_8));
            String[] parts =
                    line.find() ? line.group(1).replaceAll("\\\\(.)", "$1").split(":", 2) : new String[0];
            if (parts.length == 2) {
                return Optional.of(new Login(parts[0], parts[1]));
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot read the login in " + file + ": " + e.getMessage(), e);
        }
        throw new LauncherException(file + " has no login; it must contain the line user = \"NAME:PASSWORD\"");
    }

    /** Returns the text of the file. */
    public String text() {
        String quoted = (user + ":" + password).replace("\\", "\\\\").replace("\"", "\\\"");
        return "# logs in: curl -K THIS_FILE URL\nuser = \"" + quoted + "\"\n";
    }

    /** Returns the value of the header {@code Authorization}. */
    public String authorization() {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user;
    }
}
