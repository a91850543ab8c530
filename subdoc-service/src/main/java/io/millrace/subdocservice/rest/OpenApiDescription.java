package io.millrace.subdocservice.rest;

import static io.millrace.subdocservice.rest.Describe.arrayOf;
import static io.millrace.subdocservice.rest.Describe.ref;
import static io.millrace.subdocservice.rest.Describe.type;

import io.millrace.documents.Limits;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.List;

/** Describes the whole of the HTTP interface for OpenAPI: the routes, and what they share. */
final class OpenApiDescription {

    static final String NAME_RULE =
            ("A bucket's name has 1 to %d of the characters A-Z a-z 0-9 _ . %% -, that of a scope or"
                            + " collection 1 to %d of A-Z a-z 0-9 _ %% -; it does not start with an underscore.")
                    .formatted(Limits.MAX_BUCKET_NAME_CHARS, Limits.MAX_COLLECTION_NAME_CHARS);

    private OpenApiDescription() {}

    static void describe(OpenAPI api, List<Route> routes) {
        api.info(new Info()
                .title("Millrace documents")
                .version("v1")
                .description(
                        "Buckets, scopes, collections, documents and parts of documents, with compare-and-set by ETag, expiry,"
                                + " extended attributes and bulk loads. Every refusal has a body with `error`, `message` and"
                                + " `status`; the message says what to do."));
        api.tags(List.of(
                new Tag()
                        .name(DocumentDescriptions.TAG)
                        .description("Whole documents; paths without a scope mean the" + " default collection"),
                new Tag()
                        .name(SubDocumentDescriptions.TAG)
                        .description(
                                "Parts of documents by path: look-ups and mutations that send neither the whole body"
                                        + " nor lose what others change beside it"),
                new Tag().name(BucketDescriptions.TAG).description("Where documents live")));
        Paths paths = api.getPaths() == null ? new Paths() : api.getPaths();
        for (Route route : routes) {
            PathItem item = paths.computeIfAbsent(route.pattern(), pattern -> new PathItem());
            item.operation(PathItem.HttpMethod.valueOf(route.method().name()), route.operation());
        }
        api.paths(paths);
        Components components = api.getComponents() == null ? new Components() : api.getComponents();
        addSchemas(components);
        addParameters(components);
        api.components(components);
    }

    private static void addSchemas(Components components) {
        components.addSchemas("Error", error());
        components.addSchemas(
                "Written",
                object("cas", "integer", "The new version, also the ETag")
                        .addProperty("vbucket", described("integer", "The vbucket of the document, 0 to 1023")));
        components.addSchemas("BucketSettings", object("shards", "integer", "A power of two from 1 to 1024"));
        components.addSchemas("Collection", named());
        components.addSchemas("Scope", named().addProperty("collections", arrayOf(ref("Collection"))));
        components.addSchemas(
                "Bucket",
                named().addProperty("shards", described("integer", "How many index shards it has"))
                        .addProperty("scopes", arrayOf(ref("Scope"))));
        components.addSchemas("BulkSummary", bulkSummary());
        MoveDescriptions.addSchemas(components);
        SubDocumentDescriptions.addSchemas(components);
    }

    private static Schema<?> error() {
        Schema<?> code = described("string", "What went wrong, for programs");
        for (ApiError error : ApiError.values()) {
            addEnum(code, error.code());
        }
        return type("object")
                .addProperty("error", code)
                .addProperty("message", described("string", "What went wrong and what to do, for people"))
                .addProperty("status", described("integer", "The HTTP status"))
                .addProperty("line", described("integer", "Where the body stops being JSON"))
                .addProperty("column", described("integer", "Where in the line, in characters from 1"))
                .required(List.of("error", "message", "status"));
    }

    @SuppressWarnings("unchecked")
    private static void addEnum(Schema<?> schema, String value) {
        ((Schema<Object>) schema).addEnumItemObject(value);
    }

    private static Schema<?> bulkSummary() {
        Schema<?> refusal = object("line", "integer", "The number of the line, from 1")
                .addProperty("id", described("string", "The id, if it could be read"))
                .addProperty("error", described("string", "A code as in errors"))
                .addProperty("reason", described("string", "What is wrong with the line"));
        return object("done", "boolean", "True in the last line, absent in lines of progress")
                .addProperty("loaded", described("integer", "How many documents were written"))
                .addProperty("refused", described("integer", "How many lines were refused"))
                .addProperty("lines", described("integer", "How many lines were answered; blank lines do not count"))
                .addProperty("bytes", described("integer", "How many bytes were read"))
                .addProperty("seconds", described("number", "How long it took"))
                .addProperty("refusals", arrayOf(refusal).description("The first refused lines"))
                .addProperty("stopped", described("string", "Why the load ended early, if it did"));
    }

    private static void addParameters(Components components) {
        for (String name : List.of("bucket", "scope", "collection")) {
            components.addParameters(
                    name, path(name, "The name of the " + name, name.equals("bucket") ? "travel-sample" : "_default"));
        }
        components.addParameters(
                "id",
                path(
                        "id",
                        "The document's id, up to %d bytes of UTF-8, percent-encoded; a slash is %%2F"
                                .formatted(Limits.MAX_ID_BYTES),
                        "airline_10"));
        components.addParameters(
                "expiry",
                query(
                        "expiry",
                        "When the document expires: seconds from now, a time since 1970 in seconds when it is more than 30"
                                + " days, or a time as in RFC 3339. 0 or nothing is never.",
                        "3600"));
        components.addParameters(
                "preserveExpiry", query("preserve_expiry", "`true` keeps the expiry as it is", "true"));
        components.addParameters(
                "expiresIn",
                header(ExpiryRequest.HEADER, "When the document expires: seconds from now, however many", "3600"));
        components.addParameters(
                "ifMatch",
                header(
                        "If-Match",
                        "The ETag of the only version to change, or `*` for any that exists",
                        "\"4398046511105\""));
        components.addParameters(
                "ifNoneMatch",
                header("If-None-Match", "The ETag of the version that is known already", "\"4398046511105\""));
        components.addParameters("createOnly", header("If-None-Match", "`*` to create and never replace", "*"));
        components.addParameters(
                "force",
                query(
                        "force",
                        "`true` lets writers in again even where a bucket seems to have moved: only if it is not in use at"
                                + " the new place",
                        "false"));
        components.addParameters(
                "idempotencyKey",
                header(
                        DocumentHandlers.IDEMPOTENCY_KEY,
                        "Makes it safe to send the same write again after a lost answer: it happens once, and a repetition"
                                + " gets the first result. Remembered until %d later writes of the document."
                                        .formatted(Limits.REMEMBERED_TRANSACTIONS),
                        "order-4711-attempt"));
    }

    private static Parameter path(String name, String description, String example) {
        return parameter("path", name, description, example).required(true);
    }

    private static Parameter query(String name, String description, String example) {
        return parameter("query", name, description, example);
    }

    private static Parameter header(String name, String description, String example) {
        return parameter("header", name, description, example);
    }

    private static Parameter parameter(String in, String name, String description, String example) {
        return new Parameter()
                .in(in)
                .name(name)
                .description(description)
                .example(example)
                .schema(type("string"));
    }

    private static Schema<?> object(String property, String propertyType, String description) {
        return type("object").addProperty(property, described(propertyType, description));
    }

    private static Schema<?> named() {
        return object("name", "string", "The name")
                .addProperty("documents", described("integer", "How many living documents it has"));
    }

    private static Schema<?> described(String type, String description) {
        return type(type).description(description);
    }
}
