package io.millrace.metakv;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine or container that this process runs on. */
final class ThisHost {

    /** Asks no resolver; each container has its own. */
    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

    private ThisHost() {}

    /** Returns its name, empty when it has none. */
    static String name() {
        try {
            return Files.isReadable(LINUX)
                    ? Files.readString(LINUX).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }
}
