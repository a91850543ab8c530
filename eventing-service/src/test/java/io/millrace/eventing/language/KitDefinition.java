package io.millrace.eventing.language;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Definitions of functions with the bindings that handlers of the kit use. */
final class KitDefinition {

    private static final JsonMapper JSON = JsonMapper.shared();

    private KitDefinition() {}

    /** @param server where the URL bindings lead */
    static ObjectNode of(String name, String code, Map<String, Object> settings, String server) {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode depcfg = definition.putObject("depcfg");
        depcfg.put("source_bucket", "kit-src").put("metadata_bucket", "kit-meta");
        ArrayNode buckets = depcfg.putArray("buckets");
        bucket(buckets, "dst", "kit-dst", "rw");
        bucket(buckets, "results", "kit-results", "rw");
        bucket(buckets, "readonly", "kit-dst", "r");
        if (name.startsWith("kit-")) { // two functions that write to their source cannot be deployed together
            bucket(buckets, "own", "kit-src", "rw");
        }
        bucket(buckets, "everywhere", "kit-dst", "rw").put("scope_name", "*").put("collection_name", "*");
        ArrayNode curl = depcfg.putArray("curl");
        url(curl, "api", server + "/", "no-auth");
        url(curl, "nowhere", "http://127.0.0.1:1/", "no-auth");
        url(curl, "secured", server + "/", "basic").put("username", "user").put("password", "pass");
        ArrayNode constants = depcfg.putArray("constants");
        constants.addObject().put("value", "MOST").put("literal", "42");
        constants.addObject().put("value", "CONFIG").put("literal", "{deep: {list: ['a', 'b']}}");
        constants.addObject().put("value", "TWICE").put("literal", "function twice(n) { return 2 * n; }");
        ObjectNode chosen = definition.putObject("settings");
        chosen.put("worker_count", 1).put("dcp_stream_boundary", "everything");
        settings.forEach((key, value) -> chosen.set(key, JSON.valueToTree(value)));
        return definition;
    }

    private static ObjectNode bucket(ArrayNode buckets, String alias, String bucket, String access) {
        return buckets.addObject()
                .put("alias", alias)
                .put("bucket_name", bucket)
                .put("access", access);
    }

    private static ObjectNode url(ArrayNode curl, String alias, String url, String auth) {
        return curl.addObject()
                .put("hostname", url)
                .put("value", alias)
                .put("auth_type", auth)
                .put("allow_cookies", false)
                .put("validate_ssl_certificate", true);
    }
}
