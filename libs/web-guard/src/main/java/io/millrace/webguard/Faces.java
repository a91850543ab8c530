package io.millrace.webguard;

import org.springframework.http.server.PathContainer;

/** Which protocol a path belongs to. */
final class Faces {

    private Faces() {}

    static boolean isCouch(String path) {
        return isBelow("/couch", path);
    }

    static boolean isQuery(String path) {
        return isBelow("/query", path) || isBelow("/admin", path);
    }

    /** Returns whether the path is that of a function, which takes any kind of body. */
    static boolean isFunction(String path) {
        return isBelow("/fn", path);
    }

    static boolean isSwagger(String path) {
        return isBelow("/swagger-ui", path);
    }

    /** Returns whether a form is what the path is for: the login of a browser. */
    static boolean isLogin(String path) {
        return path.equals("/login") || path.equals("/couch/_session");
    }

    /** Returns whether a GET of the path changes something, as Couchbase's clients want it. */
    static boolean changesByGet(PathContainer path) {
        return path.elements().stream()
                .filter(PathContainer.PathSegment.class::isInstance)
                .map(PathContainer.PathSegment.class::cast)
                .limit(1)
                .anyMatch(first -> first.valueToMatch().startsWith("reset")); // decoded, as routes read it
    }

    private static boolean isBelow(String root, String path) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }
}
