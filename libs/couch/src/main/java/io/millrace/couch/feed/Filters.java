package io.millrace.couch.feed;

import io.millrace.access.Subject;
import io.millrace.couch.CouchException;
import io.millrace.couch.FilterFunctions;
import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.CouchDocument;
import io.millrace.couch.document.Leaf;
import io.millrace.couch.document.RawObject;
import io.millrace.couch.document.Rendering;
import io.millrace.couch.rights.UserContext;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Creates the filter of a changes request. */
final class Filters {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern SLASH = Pattern.compile("/");

    private final CouchDatabase database;
    private final Rendering rendering;
    private final FilterFunctions functions;
    private final Subject subject;

    Filters(CouchDatabase database, FilterFunctions functions, Subject subject) {
        this.subject = subject;
        this.database = database;
        this.rendering = database.rendering();
        this.functions = functions;
    }

    Filter of(ChangesRequest request) {
        String name = request.query().text("filter");
        if (name == null || name.isEmpty()) {
            return Filter.ALL;
        }
        return switch (name) {
            case "_doc_ids" -> ids(request.docIds());
            case "_design" -> new ByIds(id -> id.startsWith("_design/"));
            case "_selector" -> selector(request);
            case "_view" -> view(request);
            default -> named(name, request);
        };
    }

    private record ByIds(java.util.function.Predicate<String> wanted) implements Filter {
        @Override
        public boolean passes(CouchDocument document, Leaf leaf) {
            return wanted.test(document.id());
        }

        @Override
        public boolean readsBodies() {
            return false;
        }
    }

    private static Filter ids(List<String> ids) {
        Set<String> wanted = new HashSet<>(ids);
        return new ByIds(wanted::contains);
    }

    private Filter selector(ChangesRequest request) {
        RawObject body = request.body();
        if (body == null) {
            throw CouchException.badRequest("Selector must be specified in POST payload");
        }
        Selector selector = Selector.of(body.tree("selector"));
        SelectedFields.of(body); // validated before the feed begins
        return (document, leaf) -> rendering
                .render(document, leaf)
                .filter(text -> matches(selector, text))
                .isPresent();
    }

    /** A number that takes long to read is not read, and a document with one does not match. */
    private static boolean matches(Selector selector, RawObject text) {
        try {
            return selector.matches(JSON.readTree(text.bytes()));
        } catch (JacksonException e) {
            return false;
        }
    }

    private Filter view(ChangesRequest request) {
        String view = request.query().text("view");
        if (view == null || view.isEmpty()) {
            throw CouchException.badRequest("`view` filter parameter is not provided.");
        }
        List<String> parts = names(view);
        if (parts.size() != 2) {
            throw CouchException.badRequest("`view` must be of the form `designname/viewname`");
        }
        JsonNode design = design(parts.getFirst());
        JsonNode map = member(member(design, "views"), parts.getLast()).path("map");
        if (!map.isString()) {
            throw CouchException.missing("missing json key: map");
        }
        checkLanguage(design);
        return function(functions.compile(FilterFunctions.Kind.MAP, map.asString(), new byte[0]));
    }

    private Filter named(String name, ChangesRequest request) {
        if (name.startsWith("_")) {
            throw CouchException.badRequest("unknown builtin filter name");
        }
        List<String> parts = names(name);
        if (parts.isEmpty()) {
            return Filter.ALL;
        }
        if (parts.size() != 2) {
            throw CouchException.badRequest("`filter` must be of the form `designname/filtername`");
        }
        JsonNode design = design(parts.getFirst());
        JsonNode source = member(member(design, "filters"), parts.getLast());
        checkLanguage(design);
        byte[] argument = JSON.writeValueAsBytes(argument(request));
        return function(functions.compile(FilterFunctions.Kind.FILTER, source.asString(""), argument));
    }

    /** Splits at slashes; empty parts are ignored. */
    private static List<String> names(String text) {
        return SLASH.splitAsStream(text).filter(name -> !name.isEmpty()).toList();
    }

    private static JsonNode member(JsonNode design, String name) {
        JsonNode member = design.path(name);
        if (member.isMissingNode()) {
            throw CouchException.missing(design.isObject() ? "missing json key: " + name : "json_mismatch");
        }
        return member;
    }

    private static void checkLanguage(JsonNode design) {
        String language = design.path("language").asString("javascript");
        if (!language.equals("javascript")) {
            throw CouchException.of(
                    400,
                    "unknown_query_language",
                    "Design functions must be JavaScript; " + language + " is not supported.");
        }
    }

    private JsonNode design(String name) {
        CouchDocument document = database.read("_design/" + name);
        Optional<Leaf> winner = document.winner().filter(leaf -> !leaf.deleted());
        return winner.flatMap(leaf -> rendering.render(document, leaf))
                .map(text -> JSON.readTree(text.bytes()))
                .orElseThrow(() -> CouchException.missing(document.winner().isPresent() ? "deleted" : "missing"));
    }

    /** The second argument of filter functions. */
    private ObjectNode argument(ChangesRequest request) {
        ObjectNode argument = JSON.createObjectNode();
        argument.put("method", request.body() == null ? "GET" : "POST");
        argument.putArray("path").add(database.name()).add("_changes");
        ObjectNode query = argument.putObject("query");
        request.query().asSent().forEach(query::put);
        argument.putObject("headers");
        argument.putObject("form");
        argument.putObject("cookie");
        argument.set("userCtx", UserContext.of(database.name(), subject));
        RawObject body = request.body();
        argument.put("body", body == null ? "undefined" : body.toString());
        return argument;
    }

    private Filter function(FilterFunctions.Compiled compiled) {
        return new Filter() {
            @Override
            public boolean passes(CouchDocument document, Leaf leaf) {
                Optional<RawObject> text = rendering.render(document, leaf);
                return text.isPresent() && verdict(compiled.test(text.get().bytes()));
            }

            @Override
            public void close() {
                compiled.close();
            }
        };
    }

    private static boolean verdict(FilterFunctions.Verdict verdict) {
        @Nullable String failure = verdict.failure();
        if (failure != null) {
            throw CouchException.of(500, "TypeError", failure);
        }
        return verdict.passes();
    }
}
