package io.millrace.console;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The packages of the web that Maven brought as jars, unpacked to {@code node_modules}. A jar has one package below
 * {@code META-INF/resources}; what a page does not load, such as types, may be in {@code META-INF/.more.tgz}.
 */
final class WebPackages {

    private static final String RESOURCES = "META-INF/";
    private static final String MORE = RESOURCES + ".more.tgz";
    private static final String MANIFEST = "/package.json";

    private final Path modules;
    private final Map<String, String> versions = new TreeMap<>();
    private final Map<String, Path> programs = new TreeMap<>();

    private WebPackages(Path modules) {
        this.modules = modules;
    }

    static WebPackages unpack(String classPath, Path work) throws IOException {
        WebPackages packages = new WebPackages(work.resolve("node_modules"));
        Directories.delete(packages.modules);
        for (String element : classPath.split(File.pathSeparator, -1)) {
            if (element.endsWith(".jar")) {
                try (JarFile jar = new JarFile(element)) {
                    packages.unpack(jar);
                }
            }
        }
        return packages;
    }

    /** Returns the manifest of a project that has these packages. */
    String manifest() {
        return JsonMapper.shared().writeValueAsString(Map.of("private", true, "dependencies", versions));
    }

    Path program(String name) throws IOException {
        Path program = programs.get(name);
        if (program == null) {
            throw new IOException(
                    "There is no %s for this machine among the dependencies; the profiles of console/pom.xml name those that there are."
                            .formatted(name));
        }
        return program;
    }

    private void unpack(JarFile jar) throws IOException {
        Optional<JarEntry> manifest = jar.stream()
                .filter(entry ->
                        entry.getName().startsWith(RESOURCES) && entry.getName().endsWith(MANIFEST))
                .min(Comparator.comparingInt(entry -> entry.getName().length()));
        if (manifest.isEmpty()) {
            return;
        }
        String path = manifest.get().getName();
        String root = path.substring(0, path.length() - MANIFEST.length() + 1);
        String name;
        String version;
        try (InputStream json = jar.getInputStream(manifest.get())) {
            var read = JsonMapper.shared().readTree(json);
            name = read.path("name").asString();
            version = read.path("version").asString();
        }
        Path target = modules.resolve(name);
        Enumeration<JarEntry> entries = jar.entries();
        while (entries.hasMoreElements()) {
            JarEntry entry = entries.nextElement();
            if (!entry.isDirectory() && entry.getName().startsWith(root)) {
                try (InputStream content = jar.getInputStream(entry)) {
                    write(target, entry.getName().substring(root.length()), content);
                }
            }
        }
        unpackMore(jar, "/" + version + "/", target);
        if (programs.values().stream().noneMatch(program -> program.startsWith(target))) {
            versions.put(name, version);
        }
    }

    private void unpackMore(JarFile jar, String version, Path target) throws IOException {
        @Nullable JarEntry more = jar.getJarEntry(MORE);
        if (more == null) {
            return;
        }
        try (InputStream compressed = new BufferedInputStream(jar.getInputStream(more));
                TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(compressed))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                int root = entry.getName().indexOf(version);
                if (entry.isFile() && root >= 0) {
                    write(
                            target,
                            entry.getName().substring(root + version.length()),
                            new ByteArrayInputStream(tar.readAllBytes()));
                }
            }
        }
    }

    private void write(Path target, String name, InputStream content) throws IOException {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(modules)) {
            throw new IOException("A package names a file outside its directory: " + name);
        }
        Files.createDirectories(file.getParent());
        Files.copy(content, file);
        String program = String.valueOf(file.getFileName()).replace(".exe", "");
        if (program.equals("deno") || (program.equals("esbuild") && !target.endsWith("esbuild"))) {
            if (!file.toFile().setExecutable(true)) {
                throw new IOException(file + " cannot be made executable.");
            }
            programs.put(program, file.toAbsolutePath());
        }
    }
}
