package io.millrace.acceptance;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Function definitions as users post them. */
final class Definitions {

    private static final JsonMapper JSON = new JsonMapper();

    private Definitions() {}

    /** Returns a function with one source bucket and a binding to another bucket, whose alias is the bucket's name. */
    static String function(String name, String code, String source, String metadata, String writable) {
        return function(name, code, source, metadata, writable, Map.of());
    }

    static String function(
            String name, String code, String source, String metadata, String writable, Map<String, ?> settings) {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode deployment = definition.putObject("depcfg");
        deployment.put("source_bucket", source).put("metadata_bucket", metadata);
        deployment
                .putArray("buckets")
                .addObject()
                .put("alias", writable)
                .put("bucket_name", writable)
                .put("access", "rw");
        ObjectNode chosen = definition.putObject("settings").put("dcp_stream_boundary", "everything");
        chosen.put("checkpoint_interval", 1);
        settings.forEach(chosen::putPOJO);
        return definition.toString();
    }
}
