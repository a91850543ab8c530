package io.millrace.eventing.functions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Definitions to test with. */
final class SampleDefinitions {

    static final String CODE = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";

    private SampleDefinitions() {}

    static ObjectNode json(String name) {
        return (ObjectNode) parse("""
                {"appname": "%s",
                 "appcode": "%s",
                 "depcfg": {"source_bucket": "src", "metadata_bucket": "meta",
                            "buckets": [{"alias": "dst", "bucket_name": "dst", "access": "rw"}]},
                 "settings": {}}""".formatted(name, CODE));
    }

    static ObjectNode json(String name, String source, String destination) {
        ObjectNode json = json(name);
        ((ObjectNode) json.get("depcfg")).put("source_bucket", source);
        ((ObjectNode) json.at("/depcfg/buckets/0")).put("bucket_name", destination);
        return json;
    }

    static FunctionDefinition definition(String name) {
        return read(json(name));
    }

    static FunctionDefinition read(JsonNode json) {
        return DefinitionReader.read(json, null, 131_072).definition();
    }

    static JsonNode parse(String json) {
        return StoredFunction.JSON.readTree(json);
    }
}
