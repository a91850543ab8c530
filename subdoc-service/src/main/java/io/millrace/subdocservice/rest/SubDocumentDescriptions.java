package io.millrace.subdocservice.rest;

import static io.millrace.subdocservice.rest.Describe.answers;
import static io.millrace.subdocservice.rest.Describe.arrayOf;
import static io.millrace.subdocservice.rest.Describe.content;
import static io.millrace.subdocservice.rest.Describe.headers;
import static io.millrace.subdocservice.rest.Describe.operation;
import static io.millrace.subdocservice.rest.Describe.parameters;
import static io.millrace.subdocservice.rest.Describe.ref;
import static io.millrace.subdocservice.rest.Describe.refusals;
import static io.millrace.subdocservice.rest.Describe.type;

import io.millrace.subdoc.SubdocLimits;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What OpenAPI says of {@code lookup-in} and {@code mutate-in}. */
final class SubDocumentDescriptions {

    static final String TAG = "Sub-documents";

    private static final Map<String, String> LOOK_UPS =
            examples("several", """
            {"specs": [
              {"op": "get", "path": "head.a.b"},
              {"op": "get_count", "path": "items"},
              {"op": "get", "path": "items[-1].sku"}]}""", "single", """
            {"op": "get", "path": "items[0].price"}""", "virtual attributes", """
            {"specs": [
              {"op": "get", "path": "$document.CAS", "flags": ["xattr_path"]},
              {"op": "get", "path": "$XTOC", "flags": ["xattr_path"]},
              {"op": "get_doc"}]}""", "a tombstone", """
            {"doc_flags": ["access_deleted"],
             "specs": [{"op": "get", "path": "_txn.id", "flags": ["xattr_path"]}]}""");

    private static final Map<String, String> MUTATIONS = examples(
            "several",
            """
            {"specs": [
              {"op": "dict_upsert", "path": "address.city", "value": "Oslo", "flags": ["mkdir_p"]},
              {"op": "array_push_last", "path": "tags", "values": ["new", "north"]},
              {"op": "counter", "path": "visits", "value": 1}]}""",
            "single",
            """
            {"op": "replace", "path": "items[0].price", "value": 12.50}""",
            "create if absent",
            """
            {"doc_flags": ["mkdoc"], "specs": [{"op": "counter", "path": "n", "value": 1}]}""",
            "attributes and macros",
            """
            {"specs": [
              {"op": "dict_upsert", "path": "audit.cas", "value": "${Mutation.CAS}",
               "flags": ["xattr_path", "expand_macros", "mkdir_p"]},
              {"op": "dict_upsert", "path": "checked", "value": true}]}""",
            "revive a tombstone",
            """
            {"doc_flags": ["access_deleted", "revive_document"],
             "specs": [{"op": "replace_body_with_xattr", "path": "_txn.staged", "flags": ["xattr_path"]}]}""");

    private SubDocumentDescriptions() {}

    private static Map<String, String> examples(String... namesAndTexts) {
        Map<String, String> examples = new LinkedHashMap<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            examples.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        return examples;
    }

    static Operation lookUp(boolean full) {
        Operation operation = described(
                full,
                "lookupIn",
                "Look up parts of a document",
                ("1 to %d operations, each with a result of its own: a path that leads nowhere does not fail the others, and"
                                + " `subdoc_status` is then `MULTI_PATH_FAILURE`. Without `specs` the body is one operation,"
                                + " whose failure is that of the request. Values are spelt as they are stored. Operations: %s.")
                        .formatted(SubdocLimits.MAX_SPECS, words(SpecsReader.operations(false))));
        parameters(operation, "ifMatch");
        body(operation, LOOK_UPS);
        answers(operation, 200, "The results, in order", content(Describe.JSON, ref("SubDocumentResults"), json("""
                        {"subdoc_status": "MULTI_PATH_FAILURE", "cas": 4398046511105, "vbucket": 741, "results": [
                          {"index": 0, "status": "SUCCESS", "value": {"c": 1}},
                          {"index": 1, "status": "SUCCESS", "value": 7},
                          {"index": 2, "status": "PATH_ENOENT"}]}""")));
        headers(operation, 200, DocumentDescriptions.versionHeaders());
        return refused(operation);
    }

    static Operation mutate(boolean full) {
        Operation operation = described(
                full,
                "mutateIn",
                "Change parts of a document",
                ("1 to %d operations in order, all of them or none. Everything outside the touched entries keeps its"
                                + " spelling. Without If-Match the change is carried out whatever others write at the same"
                                + " time, and none of them is lost. Without `expiry` or `preserve_expiry` an earlier expiry"
                                + " is cleared. Operations: %s. Only `counter` gives a result.")
                        .formatted(SubdocLimits.MAX_SPECS, words(SpecsReader.operations(true))));
        parameters(operation, "expiry", "expiresIn", "preserveExpiry", "ifMatch", "createOnly", "idempotencyKey");
        body(operation, MUTATIONS);
        answers(operation, 200, "Changed", content(Describe.JSON, ref("SubDocumentResults"), json("""
                        {"subdoc_status": "SUCCESS", "cas": 4398046511106, "vbucket": 741, "results": [
                          {"index": 2, "status": "SUCCESS", "value": 8}]}""")));
        headers(operation, 200, DocumentDescriptions.writeHeaders());
        refusals(
                operation,
                ApiError.DOCUMENT_EXISTS,
                ApiError.DOCUMENT_TOO_LARGE,
                ApiError.DOCUMENT_LOCKED,
                ApiError.DOCUMENT_BUSY,
                ApiError.REFUSED);
        return refused(operation);
    }

    private static Operation described(boolean full, String verb, String summary, String description) {
        Operation operation = operation(verb + DocumentDescriptions.suffix(full), TAG, summary, description);
        return parameters(parameters(operation, DocumentDescriptions.keyspace(full)), "id");
    }

    private static void body(Operation operation, Map<String, String> examples) {
        MediaType media = new MediaType().schema(ref("SubDocumentRequest"));
        examples.forEach((name, text) -> media.addExamples(
                name.replace(' ', '_'), new Example().summary(name).value(json(text))));
        operation.requestBody(new RequestBody()
                .content(new Content().addMediaType(Describe.JSON, media))
                .required(true));
    }

    private static Object json(String text) {
        return JsonMapper.shared().readValue(text, Map.class);
    }

    private static Operation refused(Operation operation) {
        refusals(
                operation,
                ApiError.INVALID_JSON,
                ApiError.INVALID_BODY,
                ApiError.INVALID_SPECS,
                ApiError.INVALID_PARAMETER,
                ApiError.INVALID_HEADER,
                ApiError.PRECONDITION_FAILED,
                ApiError.BODY_TOO_LARGE,
                ApiError.UNSUPPORTED_MEDIA_TYPE,
                ApiError.PATH_FAILED);
        return DocumentDescriptions.common(operation);
    }

    static void addSchemas(Components components) {
        Schema<?> spec = type("object")
                .addProperty(
                        "op",
                        said(
                                "string",
                                "What to do: " + words(SpecsReader.operations(false)) + "; "
                                        + words(SpecsReader.operations(true))))
                .addProperty(
                        "path",
                        said(
                                "string",
                                ("Where: keys with dots, `[n]` for an element, `[-1]` for the last one;"
                                                + " a key with dots or brackets in backticks. Empty for the root. Up to %d bytes and %d"
                                                + " components.")
                                        .formatted(SubdocLimits.MAX_PATH_BYTES, SubdocLimits.MAX_PATH_COMPONENTS)))
                .addProperty("flags", arrayOf(type("string")).description(words(SpecsReader.PATH_FLAGS.keySet())))
                .addProperty("value", new Schema<>().description("Any JSON, stored as it is spelt"))
                .addProperty("values", arrayOf(new Schema<>()).description("Several values, for operations on arrays"))
                .addProperty("raw", said("string", "The bytes of the value as text"))
                .addProperty("base64", said("string", "The bytes of the value, as `binary_value` takes them"));
        components.addSchemas("SubDocumentSpec", spec);
        components.addSchemas(
                "SubDocumentRequest",
                type("object")
                        .addProperty("specs", arrayOf(ref("SubDocumentSpec")).description("The operations, in order"))
                        .addProperty(
                                "doc_flags", arrayOf(type("string")).description(words(SpecsReader.DOC_FLAGS.keySet())))
                        .addProperty("user_flags", said("integer", "The client's 32 bits; kept when absent")));
        Schema<?> result = type("object")
                .addProperty("index", said("integer", "Which operation, from 0"))
                .addProperty("status", said("string", "How it ended, in the word of the binary protocol"))
                .addProperty("value", new Schema<>().description("The value, as it is stored"))
                .addProperty("base64", said("string", "The value, where it is not JSON"));
        components.addSchemas(
                "SubDocumentResults",
                type("object")
                        .addProperty(
                                "subdoc_status",
                                said("string", "How the request ended, in the word of the binary protocol"))
                        .addProperty("cas", said("integer", "The version, also the ETag"))
                        .addProperty("vbucket", said("integer", "The vbucket of the document, 0 to 1023"))
                        .addProperty(
                                "results",
                                arrayOf(result).description("With `specs`: one per look-up, one per counter"))
                        .addProperty("value", new Schema<>().description("Without `specs`: the value")));
    }

    private static String words(Collection<String> words) {
        return "`" + String.join("`, `", List.copyOf(words)) + "`";
    }

    private static Schema<?> said(String type, String description) {
        return type(type).description(description);
    }
}
