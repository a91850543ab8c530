package io.millrace.distribution;

import java.util.Locale;

/** The platform that a distribution is for: the one that it is made on, because Java and class archives belong to it. */
final class Platform {

    private Platform() {}

    /** Returns for example {@code linux-x64}. */
    static String name(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "macos" : "linux";
        String machine = switch (osArch) {
            case "amd64", "x86_64" -> "x64";
            case "aarch64", "arm64" -> "arm64";
            default ->
                throw new DistributionException("No distribution can be made for " + osName + " " + osArch
                        + ": there is no bundled Redis; use Linux or macOS on x64 or arm64");
        };
        return os + "-" + machine;
    }
}
