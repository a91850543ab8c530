package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/**
 * The master key of a suite whose user has not named one: a file in the data directory that only its owner may read, made
 * at the first start. Without it, the secrets of functions cannot be read any more.
 */
final class MasterKeyFile {

    /** The environment variable that names the file. */
    static final String VARIABLE = "MILLRACE_MASTER_KEY_FILE";

    /** The environment variable that holds the key itself. */
    static final String KEY_VARIABLE = "MILLRACE_MASTER_KEY";

    private static final String NAME = "master.key";
    private static final int KEY_BYTES = 32;

    private MasterKeyFile() {}

    /** Returns the key file of a data directory, which is created if it does not exist. */
    static Path in(Path data) {
        Path file = data.resolve(NAME).toAbsolutePath();
        if (Files.exists(file)) {
            return file;
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        String text = Base64.getEncoder().encodeToString(key) + "\n";
        try {
            Files.createDirectories(data.toAbsolutePath());
            try (var channel = Files.newByteChannel(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                channel.write(StandardCharsets.US_ASCII.encode(text));
            }
        } catch (FileAlreadyExistsException e) {
            return file; // another suite with this directory was first; it is refused later
        } catch (IOException e) {
            throw new LauncherException("Cannot write the master key " + file + ": " + e.getMessage(), e);
        }
        return file;
    }
}
