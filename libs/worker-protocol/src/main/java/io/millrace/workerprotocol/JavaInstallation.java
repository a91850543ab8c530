package io.millrace.workerprotocol;

import java.io.IOException;
import java.io.Reader;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;

/** The properties of a Java installation according to its {@code release} file, read without starting it. */
record JavaInstallation(Path home, Version version, Set<String> modules) {

    static JavaInstallation read(Path home) throws IOException {
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        }
        String version = unquoted(release, "JAVA_VERSION");
        try {
            return new JavaInstallation(
                    home,
                    Version.parse(version),
                    Set.of(unquoted(release, "MODULES").split(" ")));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s does not name a Java version: '%s'".formatted(home.resolve("release"), version), e);
        }
    }

    private static String unquoted(Properties properties, String name) {
        return properties.getProperty(name, "").replace("\"", "").trim();
    }

    Path executable() {
        return home.resolve("bin").resolve("java");
    }
}
