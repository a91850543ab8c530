package io.millrace.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * The unpacked jar of a service, whose manifest names its main class and its libraries.
 *
 * @param mainClass the application class
 * @param files the names of the jar and of its libraries, without directories
 */
record ServiceJar(String mainClass, Set<String> files) {

    /**
     * Reads the manifest of the jar {@code <service>.jar} in the class path.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ServiceJar find(String service, String classPath) throws IOException {
        Path jar = Arrays.stream(classPath.split(File.pathSeparator))
                .map(Path::of)
                .filter(file -> file.endsWith(service + ".jar"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(service + ".jar is not in the class path"));
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes attributes = file.getManifest().getMainAttributes();
            Set<String> files = new HashSet<>();
            files.add(jar.getFileName().toString());
            for (String library :
                    attributes.getValue(Attributes.Name.CLASS_PATH).split(" ")) {
                files.add(library.substring(library.lastIndexOf('/') + 1));
            }
            return new ServiceJar(attributes.getValue(Attributes.Name.MAIN_CLASS), Set.copyOf(files));
        }
    }
}
