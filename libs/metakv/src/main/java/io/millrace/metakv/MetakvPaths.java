package io.millrace.metakv;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The rules for paths. A path starts with a slash and has components between single slashes; a component is not empty, not
 * {@code .} or {@code ..}, and has no control characters. A path that ends with a slash names a directory: all entries
 * whose paths start with it, at any depth. {@code /} is the directory of all entries, but for those of private directories.
 */
public final class MetakvPaths {

    /** Directories with password keys and secrets. Only those who name them find what is below them. */
    private static final List<String> PRIVATE = List.of("/users/", "/apikeys/", "/secrets/");

    private MetakvPaths() {}

    /** Returns whether lists, watches and deletions of a directory include a path. */
    public static boolean includes(String directory, String path) {
        return path.startsWith(directory)
                && PRIVATE.stream().noneMatch(hidden -> path.startsWith(hidden) && !directory.startsWith(hidden));
    }

    /** Returns whether a path is in a private directory: histories do not show its values. */
    public static boolean hidden(String path) {
        return PRIVATE.stream().anyMatch(path::startsWith);
    }

    /** Returns the path if it can name an entry; otherwise throws {@code INVALID_PATH}. */
    public static String entry(String path) {
        if (path.endsWith("/")) {
            throw invalid(path, "names a directory, because it ends with a slash; use the path of an entry");
        }
        return checked(path);
    }

    /** Returns the path if it names a directory; otherwise throws {@code INVALID_PATH}. */
    public static String directory(String path) {
        if (!path.endsWith("/")) {
            throw invalid(path, "names an entry; to name a directory, end it with a slash");
        }
        return checked(path);
    }

    private static String checked(String path) {
        if (!path.startsWith("/")) {
            throw invalid(path, "must start with a slash");
        }
        if (path.getBytes(StandardCharsets.UTF_8).length > MetakvLimits.MAX_PATH_BYTES) {
            throw invalid(
                    path.substring(0, 40) + "...", "is longer than " + MetakvLimits.MAX_PATH_BYTES + " bytes of UTF-8");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw invalid(path, "contains an unpaired surrogate");
        }
        if (path.chars().anyMatch(Character::isISOControl)) {
            throw invalid(path.replaceAll("\\p{Cntrl}", "?"), "contains a control character");
        }
        for (int start = 1; start < path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String component = path.substring(start, end);
            if (component.isEmpty() || component.equals(".") || component.equals("..")) {
                throw invalid(path, "has an empty component, '.' or '..'");
            }
            start = end + 1;
        }
        return path;
    }

    private static MetakvException invalid(String path, String why) {
        return MetakvException.of(MetakvException.Code.INVALID_PATH, "The path '" + path + "' " + why + ".");
    }
}
