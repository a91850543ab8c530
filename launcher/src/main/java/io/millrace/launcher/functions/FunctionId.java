package io.millrace.launcher.functions;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import tools.jackson.databind.JsonNode;

/** The name of a function and its function scope, {@code *} for none. */
record FunctionId(String bucket, String scope, String name) {

    private static final String ANY = "*";

    /** Reads {@code name} or {@code bucket/scope/name}. */
    static FunctionId parse(String text) {
        String[] parts = text.split("/", -1);
        return switch (parts.length) {
            case 1 -> new FunctionId(ANY, ANY, parts[0]);
            case 3 -> new FunctionId(parts[0], parts[1], parts[2]);
            default ->
                throw new LauncherException("'" + text
                        + "' does not name a function; use its name, or bucket/scope/name if it has a function scope");
        };
    }

    /** Reads the name of a definition. */
    static FunctionId of(JsonNode definition) {
        return new FunctionId(
                definition.at("/function_scope/bucket").asString(ANY),
                definition.at("/function_scope/scope").asString(ANY),
                definition.path("appname").asString(definition.path("name").asString("")));
    }

    /** Returns the path of a request about this function, with its function scope in the query. */
    String path(String prefix, String suffix) {
        String path = prefix + GatewayClient.segment(name) + suffix;
        if (bucket.equals(ANY)) {
            return path;
        }
        return path + (path.contains("?") ? "&" : "?") + "bucket=" + GatewayClient.segment(bucket) + "&scope="
                + GatewayClient.segment(scope);
    }

    @Override
    public String toString() {
        return bucket.equals(ANY) ? name : bucket + "/" + scope + "/" + name;
    }
}
