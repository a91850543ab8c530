package io.millrace.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceClassLoaderTest {

    @TempDir
    Path directory;

    private URLClassLoader all;
    private ServiceClassLoader documents;

    @BeforeEach
    void packJars() throws IOException {
        Path configuration = jar("configuration.jar", "", "application.yml", "name: configuration");
        Path library = jar("library-1.jar", "", "library.txt", "shared");
        Path others = jar("others-1.jar", "", "others.txt", "hidden");
        Path own = jar("documents.jar", "lib/library-1.jar", "application.yml", "name: documents");
        all = new URLClassLoader(new URL[] {url(configuration), url(library), url(others), url(own)}, null);
        ServiceJar jar = ServiceJar.find("documents", configuration + ":" + own);
        assertThat(jar).isEqualTo(new ServiceJar("Main", Set.of("documents.jar", "library-1.jar")));
        documents = new ServiceClassLoader("documents", all, jar.files());
    }

    @AfterEach
    void close() throws IOException {
        all.close();
    }

    @Test
    void resource_ofTheSameNameInAnotherService_isTheOwnOne() throws IOException {
        assertThat(text("application.yml")).isEqualTo("name: documents");
        assertThat(Collections.list(documents.getResources("application.yml"))).hasSize(1);
        assertThat(text("library.txt")).isEqualTo("shared");
    }

    @Test
    void resource_ofALibraryOfAnotherService_isNotFound() throws IOException {
        assertThat(documents.getResource("others.txt")).isNull();
        assertThat(documents.getResourceAsStream("others.txt")).isNull();
        assertThat(Collections.list(documents.getResources("others.txt"))).isEmpty();
    }

    @Test
    void class_isTheOneThatTheServicesShare_orNotFoundIfInAJarOfOthers() throws Exception {
        ClassLoader here = getClass().getClassLoader();
        String shared = "org.assertj.core.api.Assertions";
        String jar = Path.of(org.assertj.core.api.Assertions.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .getFileName()
                .toString();

        assertThat(new ServiceClassLoader("with", here, Set.of(jar)).loadClass(shared))
                .isSameAs(org.assertj.core.api.Assertions.class);
        assertThatThrownBy(() -> new ServiceClassLoader("without", here, Set.of()).loadClass(shared))
                .isInstanceOf(ClassNotFoundException.class)
                .hasMessageContaining("not in the class path of without");
        assertThat(new ServiceClassLoader("jdk", here, Set.of()).loadClass("java.util.List"))
                .isSameAs(java.util.List.class);
    }

    private String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(documents.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path jar(String name, String classPath, String entry, String content) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private static URL url(Path jar) throws IOException {
        return jar.toUri().toURL();
    }
}
