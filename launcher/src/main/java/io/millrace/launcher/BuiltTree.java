package io.millrace.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipException;

/**
 * The programs that a build left in the modules' {@code target} directories, brought into a directory of our own: so a
 * running suite survives the next build, and a service starts from unpacked jars and a class-data archive.
 *
 * <p>A program is brought over again when its jar has changed. The archive is written by the JVM itself when a service
 * ends for the first time.
 */
final class BuiltTree implements Installation {

    private static final String MARK = "made-from";

    private final Path root;
    private final Path home;

    /**
     * An installation that is made when it is first asked for.
     *
     * @param root the directory with the modules
     * @param home where the programs are run from
     */
    BuiltTree(Path root, Path home) {
        this.root = root.toAbsolutePath().normalize();
        this.home = home.toAbsolutePath().normalize();
    }

    @Override
    public List<String> javaArguments(Service service) {
        String name = service.moduleName();
        Path jar = root.resolve(name).resolve("target").resolve(name + ".jar");
        Path directory = home.resolve(name);
        bring(jar, directory, () -> extract(jar, directory));
        return List.of(
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + directory.resolve(name + ".jsa"),
                // an archive of another JDK is replaced: nothing that a user can act on
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-jar",
                directory.resolve(name + ".jar").toString());
    }

    @Override
    public Path workerHome() {
        Path built = root.resolve("eventing-worker").resolve("target").resolve("worker");
        Path directory = home.resolve("worker");
        bring(built, directory, () -> FileTree.copy(built, directory));
        return directory;
    }

    /** Of several that need the same at the same time, in this process or in others, one brings it. */
    private static synchronized void bring(Path source, Path directory, Runnable maker) {
        if (!Files.exists(source)) {
            throw new LauncherException("There is no " + source + ". Build first: ./mvnw -q package -DskipTests");
        }
        Path mark = directory.resolve(MARK);
        String fingerprint = fingerprint(source);
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
            throw new LauncherException("Cannot install " + source + " into " + directory, e);
        }
    }

    /** Of the contents: a repeatable build gives every jar the same time. */
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
            // the checksums of its entries are at the end of a jar: quicker than reading all of it
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
