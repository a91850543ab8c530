package io.millrace.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** The files that the gateway serves: the bundle, each file also compressed, and the page that names them. */
final class ConsolePages {

    private final Path bundle;
    private final Path output;

    ConsolePages(Path bundle, Path output) {
        this.bundle = bundle;
        this.output = output;
    }

    void write(String page) throws IOException {
        Directories.copy(bundle, output.resolve("assets"));
        for (Path file : Directories.files(output.resolve("assets"))) {
            try (OutputStream compressed =
                    new GZIPOutputStream(Files.newOutputStream(file.resolveSibling(file.getFileName() + ".gz")))) {
                Files.copy(file, compressed);
            }
        }
        String named = page.replace("@early.js@", named(bundle, "early", ".js"))
                .replace("@main.css@", named(bundle, "main", ".css"))
                .replace("@main.js@", named(bundle, "main", ".js"));
        Files.writeString(output.resolve("index.html"), named);
    }

    /** Returns the name with its hash of the one file that an entry was bundled to. */
    static String named(Path bundle, String entry, String suffix) throws IOException {
        List<String> names = Directories.files(bundle).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .filter(name -> name.matches(entry + "-[A-Z0-9]+" + suffix.replace(".", "\\.")))
                .toList();
        if (names.size() != 1) {
            throw new IOException("Expected one file %s-HASH%s, found %s".formatted(entry, suffix, names));
        }
        return names.getFirst();
    }
}
