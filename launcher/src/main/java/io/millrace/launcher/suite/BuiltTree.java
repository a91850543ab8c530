package io.millrace.launcher.suite;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Copies the programs from the {@code target} directories of the modules to a separate directory, so that a running suite
 * survives the next build and a service starts faster, from unpacked jars.
 *
 * <p>Programs are copied again when a jar has changed.
 */
final class BuiltTree implements Installation {

    private static final String MARK = "made-from";

    private final Path root;
    private final Path home;
    private @Nullable Path services;

    /**
     * Creates an installation that copies each program at its first use.
     *
     * @param root the directory with the modules
     * @param home the directory to copy the programs to
     */
    BuiltTree(Path root, Path home) {
        this.root = root.toAbsolutePath().normalize();
        this.home = home.toAbsolutePath().normalize();
    }

    @Override
    public List<String> javaArguments(Service service) {
        return List.of("-jar", services().resolve(service.moduleName() + ".jar").toString());
    }

    @Override
    public List<String> javaArgumentsForAll() {
        return JavaCommand.allServicesIn(services());
    }

    /** A new installation deletes the archives, which were made for the jars before. */
    @Override
    public Path archives() {
        return services();
    }

    @Override
    public Path archive(String process) {
        return archives().resolve(process + "-" + Runtime.version().toString().replace('+', '-') + ".aot");
    }

    /**
     * Returns the directory with an unpacked jar of each service, next to a directory with the libraries of all. It is looked
     * at once: a service that is restarted after another build runs what the others run.
     */
    private synchronized Path services() {
        if (services == null) {
            services = installServices();
        }
        return services;
    }

    private Path installServices() {
        Path directory = home.resolve("services");
        List<Path> jars = Arrays.stream(Service.values())
                .map(service -> built(service.moduleName()))
                .toList();
        Path host = built(JavaCommand.LOCAL_SERVICES);
        install(Stream.concat(jars.stream(), Stream.of(host)).toList(), directory, () -> {
            jars.forEach(jar -> extract(jar, directory));
            FileTree.copy(host, directory.resolve(host.getFileName()));
        });
        return directory;
    }

    private Path built(String module) {
        return root.resolve(module).resolve("target").resolve(module + ".jar");
    }

    @Override
    public Path workerHome() {
        Path built = root.resolve("eventing-worker").resolve("target").resolve("worker");
        Path directory = home.resolve("worker");
        install(List.of(built), directory, () -> {
            FileTree.copy(built, directory);
            copyArchives(built);
        });
        return directory;
    }

    /** Workers that this build has started may have left archives of their classes, which serve copies of the jars as well. */
    private void copyArchives(Path worker) {
        try (Stream<Path> siblings = Files.list(worker.resolveSibling(""))) {
            for (Path archive : siblings.filter(
                            file -> file.getFileName().toString().endsWith(".jsa"))
                    .toList()) {
                Files.copy(archive, home.resolve(archive.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Installs programs; a file lock makes concurrent callers, also in other processes, install them once. */
    private static synchronized void install(List<Path> sources, Path directory, Runnable maker) {
        for (Path source : sources) {
            if (!Files.exists(source)) {
                throw new LauncherException(
                        source + " does not exist. Build Millrace first: ./mvnw -q package -DskipTests");
            }
        }
        Path mark = directory.resolve(MARK);
        String fingerprint = sources.stream().map(BuiltTree::fingerprint).collect(Collectors.joining());
        try {
            Files.createDirectories(directory);
            Path lock = directory.resolveSibling(directory.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (held.isValid()
                        && Files.exists(mark)
                        && Files.readString(mark).equals(fingerprint)) {
                    return;
                }
                FileTree.delete(directory);
                Files.createDirectories(directory);
                maker.run();
                Files.writeString(mark, fingerprint);
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot install " + sources + " into " + directory, e);
        }
    }

    /** Describes the contents, because a reproducible build gives every jar the same modification time. */
    private static String fingerprint(Path source) {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                text.append(source.relativize(file))
                        .append(' ')
                        .append(checksum(file))
                        .append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static long checksum(Path file) throws IOException {
        CRC32 checksum = new CRC32();
        try (JarFile jar = new JarFile(file.toFile(), false)) {
            // the directory at the end of a jar holds the checksums of its entries: faster than reading the whole file
            jar.stream()
                    .forEach(entry ->
                            checksum.update((entry.getName() + entry.getCrc()).getBytes(StandardCharsets.UTF_8)));
        } catch (ZipException e) {
            checksum.update(Files.readAllBytes(file));
        }
        return checksum.getValue();
    }

    private static void extract(Path jar, Path directory) {
        List<String> command = List.of(
                JavaCommand.executable(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--force",
                "--destination",
                directory.toString());
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new LauncherException("Cannot unpack " + jar + ": " + output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while unpacking " + jar, e);
        }
    }
}
