package io.millrace.metakv;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The host or container of this process. */
final class ThisHost {

    /** Read without a resolver; each container has its own name. */
    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

    private ThisHost() {}

    /** Returns the host name, or an empty string. */
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
