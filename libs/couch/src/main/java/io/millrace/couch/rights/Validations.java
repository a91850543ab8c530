package io.millrace.couch.rights;

import io.millrace.access.Subject;
import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.FilterFunctions;
import io.millrace.couch.FilterFunctions.Kind;
import io.millrace.couch.FilterFunctions.Verdict;
import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.RawObject;
import io.millrace.documents.DocumentStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/**
 * Asks the functions {@code validate_doc_update} of the design documents of a database before a document is written. A
 * function that cannot be run refuses the write.
 */
public final class Validations {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String MEMBER = "validate_doc_update";

    private final DocumentStore store;
    private final FilterFunctions functions;

    public Validations(DocumentStore store, FilterFunctions functions) {
        this.store = store;
        this.functions = functions;
    }

    /** Returns the rule for the writes of a request; it reads the design documents before the first one. */
    public CouchDatabase.WriteRule of(CouchRequest request) {
        return new CouchDatabase.WriteRule() {
            private @Nullable List<String> sources;

            @Override
            public void check(String id, Supplier<byte @Nullable []> before, Supplier<byte[]> after) {
                if (id.startsWith("_")) {
                    return; // design documents are for administrators, local ones are notes of replicators
                }
                String database = request.path().getFirst();
                if (sources == null) {
                    sources = sources(database);
                }
                if (!sources.isEmpty()) {
                    ask(sources, argument(database, request.subject(), before.get(), after.get()));
                }
            }
        };
    }

    private List<String> sources(String database) {
        List<String> sources = new ArrayList<>();
        for (byte[] json : CouchDatabase.open(store, database).designs()) {
            RawObject design = RawObject.parse(json);
            String source = design.text(MEMBER);
            if (source != null) {
                String language = design.text("language");
                if (language != null && !language.equals("javascript")) {
                    throw CouchException.of(
                            400,
                            "unknown_query_language",
                            design.text("_id") + " has a " + MEMBER + " in " + language + "; it must be JavaScript.");
                }
                sources.add(source);
            }
        }
        return sources;
    }

    private byte[] argument(String database, Subject subject, byte @Nullable [] before, byte[] after) {
        ObjectNode argument = JSON.createObjectNode();
        argument.putRawValue("newDoc", raw(after));
        argument.putRawValue("oldDoc", raw(before));
        argument.set("userCtx", UserContext.of(database, subject));
        byte[] security = CouchDatabase.security(store, database);
        argument.putRawValue("secObj", raw(security == null ? "{}".getBytes(StandardCharsets.US_ASCII) : security));
        return JSON.writeValueAsBytes(argument);
    }

    private static RawValue raw(byte @Nullable [] json) {
        return new RawValue(json == null ? "null" : new String(json, StandardCharsets.UTF_8));
    }

    private void ask(List<String> sources, byte[] argument) {
        for (String source : sources) {
            Verdict verdict;
            try (FilterFunctions.Compiled compiled = functions.compile(Kind.VALIDATION, source, new byte[0])) {
                verdict = compiled.test(argument);
            }
            if (!verdict.passes()) {
                throw refusal(Objects.requireNonNullElse(verdict.failure(), "The function did not say why."));
            }
        }
    }

    /** What a validation throws on purpose is an object with {@code forbidden} or {@code unauthorized}. */
    private static CouchException refusal(String thrown) {
        JsonNode json = thrown.startsWith("{") ? JSON.readTree(thrown) : JSON.missingNode();
        if (json.has("unauthorized")) {
            return CouchException.of(401, "unauthorized", text(json.path("unauthorized")));
        }
        if (json.has("forbidden")) {
            return CouchException.of(403, "forbidden", text(json.path("forbidden")));
        }
        return CouchException.of(
                500,
                "unknown_error",
                MEMBER + " failed: " + (json.has("failure") ? text(json.path("failure")) : thrown));
    }

    private static String text(JsonNode reason) {
        return reason.isString() ? reason.asString() : reason.toString();
    }
}
