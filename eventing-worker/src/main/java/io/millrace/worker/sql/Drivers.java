package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC drivers in a directory. They see the classes of Java and of the directory, and {@link CheckedSockets} alone of the
 * worker's. All functions of a process share them, because native code can be loaded once only. A jar that is added is found
 * when it is needed.
 */
final class Drivers {

    private static final Map<Path, Drivers> BY_DIRECTORY = new ConcurrentHashMap<>();

    private static final class Loader extends URLClassLoader {

        Loader(URL[] jars) {
            super(jars, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            return name.equals(CheckedSockets.class.getName()) ? CheckedSockets.class : super.findClass(name);
        }
    }

    private final Path directory;
    private List<Path> jars = List.of();
    private List<Driver> drivers = List.of();

    private Drivers(Path directory) {
        this.directory = directory;
    }

    static Drivers in(Path directory) {
        return BY_DIRECTORY.computeIfAbsent(directory.toAbsolutePath().normalize(), Drivers::new);
    }

    /** Returns the driver that accepts a URL. */
    synchronized Driver of(String url) throws HostFailure {
        Driver known = accepting(url);
        if (known == null) {
            load();
            known = accepting(url);
        }
        if (known == null) {
            throw HostFailure.sqlError(
                    "08001",
                    "No JDBC driver for %s; put the jar of the driver into the directory %s of each eventing node"
                            .formatted(withoutParameters(url), directory));
        }
        return known;
    }

    /** Parameters of a URL may be secrets. */
    private static String withoutParameters(String url) {
        return url.split("[?;]", 2)[0];
    }

    private @Nullable Driver accepting(String url) {
        for (Driver driver : drivers) {
            try {
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            } catch (SQLException e) {
                // this driver cannot read the URL, so it is not meant
            }
        }
        return null;
    }

    private void load() throws HostFailure {
        List<Path> present = jars();
        if (present.equals(jars)) {
            return;
        }
        List<Driver> found = new ArrayList<>();
        try {
            ServiceLoader.load(Driver.class, new Loader(urls(present))).forEach(found::add);
        } catch (ServiceConfigurationError | MalformedURLException e) {
            throw HostFailure.sqlError(
                    "08001", "A driver in %s cannot be loaded: %s".formatted(directory, e.getMessage()));
        }
        jars = present;
        drivers = found;
    }

    private static URL[] urls(List<Path> jars) throws MalformedURLException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }

    private List<Path> jars() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of(); // a directory that is missing has no drivers
        }
    }
}
