package io.millrace.launcher.suite;

import io.millrace.launcher.FileFailure;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** Files that only their owner may read, below {@code secrets} in the data directory. */
final class SecretFile {

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SecretFile() {}

    /** Returns a random secret of 256 bits as text. */
    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the file of a secret; it is created with a random one if it does not exist. */
    static Path ensure(Path data, String name) {
        return ensure(directory(data), name, random() + "\n");
    }

    /**
     * Returns a file that is created with a text if it does not exist, or is empty, as a full disk or a crash leaves it. The
     * caller has locked the data directory.
     */
    static Path ensure(Path directory, String name, String text) {
        Path file = directory.resolve(name);
        return file.toFile().length() == 0 ? replace(directory, name, text) : file;
    }

    /** Writes a file below {@code secrets} that replaces any former one. */
    static Path write(Path data, String name, String text) {
        return replace(directory(data), name, text);
    }

    /** Writes a file that replaces any former one; a reader sees one of them. */
    static Path replace(Path directory, String name, String text) {
        Path file = directory.resolve(name);
        try {
            OwnerOnly.replace(file, text);
        } catch (IOException e) {
            throw new LauncherException("Cannot write " + file + ": " + FileFailure.of(e), e);
        }
        return file;
    }

    static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new LauncherException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Path directory(Path data) {
        Path directory = data.toAbsolutePath().resolve("secrets");
        try {
            if (!Files.isDirectory(directory)) {
                OwnerOnly.createDirectory(directory);
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot create " + directory + ": " + FileFailure.of(e), e);
        }
        return directory;
    }
}
