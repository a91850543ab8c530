package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

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
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return SecretFile.ensure(
                data.toAbsolutePath(), NAME, Base64.getEncoder().encodeToString(key) + "\n");
    }
}
