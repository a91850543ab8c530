package io.millrace.eventing.definition;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Definitions to test with. */
public final class SampleDefinitions {

    private static final JsonMapper JSON = JsonMapper.shared();

    public static final String CODE = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";

    private SampleDefinitions() {}

    public static ObjectNode json(String name) {
        return (ObjectNode) parse("""
                {"appname": "%s",
                 "appcode": "%s",
                 "depcfg": {"source_bucket": "src", "metadata_bucket": "meta",
                            "buckets": [{"alias": "dst", "bucket_name": "dst", "access": "rw"}]},
                 "settings": {}}""".formatted(name, CODE));
    }

    public static ObjectNode json(String name, String source, String destination) {
        ObjectNode json = json(name);
        ((ObjectNode) json.get("depcfg")).put("source_bucket", source);
        ((ObjectNode) json.at("/depcfg/buckets/0")).put("bucket_name", destination);
        return json;
    }

    public static FunctionDefinition definition(String name) {
        return read(json(name));
    }

    public static FunctionDefinition read(JsonNode json) {
        return DefinitionReader.read(json, null, new CodeLimit(131_072, false)).definition();
    }

    public static JsonNode parse(String json) {
        return JSON.readTree(json);
    }
}
