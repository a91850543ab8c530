package io.millrace.metakv;

import java.nio.charset.StandardCharsets;

/**
 * The rules for paths. A path starts with a slash and has components between single slashes; no component is empty, a
 * single or a double dot, or holds a control character. A path that ends with a slash names a directory, which is
 * nothing but the entries whose paths start with it, at any depth. {@code /} is the directory of everything.
 */
public final class MetakvPaths {

    private MetakvPaths() {}

    /** Returns the path when it can name an entry; fails with {@code INVALID_PATH} otherwise. */
    public static String entry(String path) {
        if (path.endsWith("/")) {
            throw invalid(path, "ends with a slash, which names a directory, where an entry is needed");
        }
        return checked(path);
    }

    /** Returns the path when it names a directory; fails with {@code INVALID_PATH} otherwise. */
    public static String directory(String path) {
        if (!path.endsWith("/")) {
            throw invalid(path, "names an entry where a directory is needed; end it with a slash");
        }
        return checked(path);
    }

    private static String checked(String path) {
        if (!path.startsWith("/")) {
            throw invalid(path, "does not start with a slash");
        }
        if (path.getBytes(StandardCharsets.UTF_8).length > MetakvLimits.MAX_PATH_BYTES) {
            throw invalid(
                    path.substring(0, 40) + "...", "is longer than " + MetakvLimits.MAX_PATH_BYTES + " bytes of UTF-8");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw invalid(path, "holds half of a surrogate pair");
        }
        if (path.chars().anyMatch(Character::isISOControl)) {
            throw invalid(path.replaceAll("\\p{Cntrl}", "?"), "holds a control character");
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
