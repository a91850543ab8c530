package io.millrace.distribution;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.launcher.suite.ClassArchives;
import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code millrace dist}: packs a built tree for the platform that it runs on. Below {@code dist}: the archive, its SHA-256 and
 * its bill of materials.
 */
public final class Dist {

    private static final int JAVA_WITH_ARCHIVES = 25;

    /** Of every file: class archives are valid for jars of exactly one time. */
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * Those of the standard, and what GraalJS, Netty and locales need besides; a Java without one of them goes without. The
     * compiler of JavaScript comes with the worker: a worker whose Java has one of its own can use no class archive.
     */
    private static final List<String> JAVA_MODULES = List.of(
            "java.se",
            "jdk.charsets",
            "jdk.crypto.cryptoki",
            "jdk.crypto.ec",
            "jdk.internal.vm.ci",
            "jdk.jfr",
            "jdk.localedata",
            "jdk.management",
            "jdk.naming.dns",
            "jdk.net",
            "jdk.security.auth",
            "jdk.unsupported",
            "jdk.zipfs");

    /** Jars that plugins of the build bring, so that Maven's bill does not have them. */
    private static final List<BillOfMaterials.Jar> UNDECLARED = List.of(
            new BillOfMaterials.Jar("org.springframework.boot", "spring-boot-jarmode-tools", "Apache-2.0"),
            new BillOfMaterials.Jar("org.graalvm.compiler", "compiler", "GPL-2.0-with-classpath-exception"));

    private final Path root;
    private final String version;
    private final Path directory;
    private final Path target;

    private Dist(Path root, String version) {
        this.root = root;
        this.version = version;
        this.target = root.resolve("dist");
        this.directory = target.resolve("millrace-" + version + "-"
                + Platform.name(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    /** Packs the tree {@code arguments[0]} as version {@code arguments[1]}; Maven's bill of materials is arguments[2]. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        try {
            new Dist(Path.of(arguments[0]), arguments[1]).pack(Path.of(arguments[2]));
        } catch (DistributionException e) {
            System.err.println("millrace: " + e.getMessage());
            System.exit(1);
        }
    }

    private void pack(Path bill) throws IOException, InterruptedException {
        if (Runtime.version().feature() < JAVA_WITH_ARCHIVES) {
            throw new DistributionException("A distribution is made with JDK " + JAVA_WITH_ARCHIVES
                    + " or newer, not with " + Runtime.version() + "; install one, or set MILLRACE_JAVA_HOME");
        }
        FileTree.delete(directory);
        Files.createDirectories(directory.resolve("lib"));
        System.err.println("Java ...");
        java();
        System.err.println("Programs ...");
        programs();
        String name = String.valueOf(directory.getFileName());
        Files.writeString(target.resolve(name + ".cdx.json"), materials(Files.readString(bill)));
        setTimes();
        System.err.println("Class archives ...");
        classArchives();
        System.err.println("Archive ...");
        Path archive = target.resolve(name + ".tar.gz");
        Archive.write(directory, archive, TIME);
        Files.writeString(
                target.resolve(name + ".tar.gz.sha256"), sha256(archive) + "  " + archive.getFileName() + "\n");
        System.err.printf("%,d MiB%n", Files.size(archive) / (1024 * 1024));
        System.out.println(archive);
    }

    private void java() {
        String modules = JAVA_MODULES.stream()
                .filter(module -> ModuleFinder.ofSystem().find(module).isPresent())
                .collect(Collectors.joining(","));
        ToolProvider jlink = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new DistributionException("The JDK in " + System.getProperty("java.home")
                        + " has no jlink; set MILLRACE_JAVA_HOME to a complete one"));
        int status = jlink.run(
                System.err,
                System.err,
                "--add-modules",
                modules,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--generate-cds-archive",
                "--output",
                directory.resolve("java").toString());
        if (status != 0) {
            throw new DistributionException("jlink failed with status " + status + "; see its messages above");
        }
    }

    private void programs() throws IOException, InterruptedException {
        Path lib = directory.resolve("lib");
        Path launcher = root.resolve("launcher/target");
        FileTree.copy(launcher.resolve("lib"), lib.resolve("launcher"));
        Files.copy(launcher.resolve("launcher.jar"), lib.resolve("launcher/launcher.jar"));
        FileTree.copy(root.resolve("eventing-worker/target/worker"), lib.resolve("worker"));
        for (Service service : Service.values()) {
            String name = service.moduleName();
            // all into one directory: they share most libraries
            run(
                    "unpack " + name,
                    "-Djarmode=tools",
                    "-jar",
                    root.resolve(name).resolve("target").resolve(name + ".jar").toString(),
                    "extract",
                    "--force",
                    "--destination",
                    lib.resolve("services").toString());
        }
        Files.copy(
                root.resolve("local-services/target/local-services.jar"), lib.resolve("services/local-services.jar"));
        FileTree.copy(root.resolve("examples"), directory.resolve("examples"));
        for (String file : List.of("millrace", "README.md", "LICENSE", "SECURITY.md", "GLOSSARY.md")) {
            Files.copy(root.resolve(file), directory.resolve(file));
        }
        if (!directory.resolve("millrace").toFile().setExecutable(true, false)) {
            throw new DistributionException("Cannot make " + directory.resolve("millrace") + " executable");
        }
    }

    private void classArchives() throws IOException, InterruptedException {
        run(
                "make the class archive of the services",
                "-cp",
                directory + "/lib/launcher/*",
                ClassArchives.class.getName(),
                directory.toString());
        WorkerArchive.make(directory.resolve("lib/worker"), directory.resolve("java"));
    }

    /** Runs the Java of the distribution. */
    private void run(String what, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(directory.resolve("java/bin/java").toString()));
        command.addAll(List.of(arguments));
        int status = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (status != 0) {
            throw new DistributionException("Cannot " + what + "; see the messages above");
        }
    }

    private void setTimes() throws IOException {
        for (Path path : files(directory)) {
            Files.setLastModifiedTime(path, FileTime.from(TIME));
        }
    }

    private String materials(String bill) throws IOException {
        BillOfMaterials materials = new BillOfMaterials(bill);
        materials.keepOnly(
                files(directory.resolve("lib")).stream()
                        .map(path -> String.valueOf(path.getFileName()))
                        .filter(name -> name.endsWith(".jar"))
                        .distinct()
                        .toList(),
                UNDECLARED);
        materials.add("redis", RedisServer.bundledVersion(), "BSD-3-Clause");
        materials.add("openjdk", Runtime.version().toString(), "GPL-2.0-with-classpath-exception");
        return materials.json("millrace", version);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
