package io.millrace.acceptance;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The classes of all modules as this build compiled them, found by the name of their source, wherever that is. */
final class BuiltClasses implements AutoCloseable {

    private final URLClassLoader loader;

    BuiltClasses() {
        loader = new URLClassLoader(
                Repository.modules().stream().map(BuiltClasses::classes).toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader());
    }

    private static URL classes(Path module) {
        try {
            return module.resolve("target/classes").toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    /** The source of a top-level type of a module. */
    static Path source(String module, String type) {
        List<Path> found = Repository.files(type + ".java").stream()
                .filter(file -> file.getFileName().toString().equals(type + ".java"))
                .filter(file -> file.startsWith(Repository.module(module).resolve("src/main")))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("Expected one source of %s in %s, found %s".formatted(type, module, found));
        }
        return found.getFirst();
    }

    Class<?> load(Path source) throws ClassNotFoundException {
        String name = Repository.name(source);
        return loader.loadClass(name.substring(name.indexOf("src/main/java/") + "src/main/java/".length())
                .replace(".java", "")
                .replace('/', '.'));
    }

    Class<?> load(String module, String type) throws ClassNotFoundException {
        return load(source(module, type));
    }

    /** Calls a method without parameters, whatever its visibility. */
    static Object call(Object target, String method) throws ReflectiveOperationException {
        return Objects.requireNonNull(callNullable(target, method));
    }

    static @Nullable Object callNullable(Object target, String method) throws ReflectiveOperationException {
        Class<?> type = target instanceof Enum<?> constant ? constant.getDeclaringClass() : target.getClass();
        Method found = type.getDeclaredMethod(method);
        found.setAccessible(true);
        return found.invoke(target);
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
