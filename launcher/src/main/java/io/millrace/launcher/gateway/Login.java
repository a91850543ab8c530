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
import org.jspecify.annotations.Nullable;

/**
 * A user and a password in a file that curl reads as well: {@code curl -K FILE URL}. The file is as secret as the password.
 *
 * @param authority the file with the authority of the gateway's certificate, or null for those that are trusted anyway
 */
public record Login(String user, String password, @Nullable Path authority) {

    private static final String QUOTED = "\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*$";
    private static final Pattern USER = Pattern.compile("(?m)^\\s*user" + QUOTED);
    private static final Pattern AUTHORITY = Pattern.compile("(?m)^\\s*cacert" + QUOTED);

    /** A login at a gateway whose certificate, if it has one, is trusted anyway. */
    public Login(String user, String password) {
        this(user, password, null);
    }

    /** Reads a file; empty if there is none. */
    public static Optional<Login> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            String[] parts = value(USER, text).orElse("").split(":", 2);
            if (parts.length == 2) {
                return Optional.of(new Login(
                        parts[0], parts[1], value(AUTHORITY, text).map(Path::of).orElse(null)));
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot read the login in " + file + ": " + e.getMessage(), e);
        }
        throw new LauncherException(file + " has no login; it must contain the line user = \"NAME:PASSWORD\"");
    }

    private static Optional<String> value(Pattern option, String text) {
        Matcher line = option.matcher(text);
        return line.find() ? Optional.of(line.group(1).replaceAll("\\\\(.)", "$1")) : Optional.empty();
    }

    /** Returns this login for a gateway whose certificate has another authority, or none. */
    public Login trusting(@Nullable Path other) {
        return new Login(user, password, other);
    }

    /** Returns the text of the file. */
    public String text() {
        return "# logs in: curl -K THIS_FILE URL\n" + line("user", user + ":" + password)
                + (authority == null ? "" : line("cacert", authority.toString()));
    }

    private static String line(String option, String value) {
        return option + " = \"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
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
