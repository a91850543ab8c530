package io.millrace.subdocservice.rest;

import static io.millrace.documents.StoreKit.await;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.Vector;
import io.millrace.subdoc.VectorRunner;
import io.millrace.subdocservice.rest.RestServer.Answer;
import io.millrace.subdocservice.subdocuments.StoreRunner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs sub-document requests over HTTP. */
final class RestRunner implements VectorRunner, AutoCloseable {

    /** The flags that exist only in frames of the binary protocol. */
    private static final Set<String> NOT_HERE = Set.of("extras_len", "datatype", "hello_without");

    private final DocumentStore store;
    private final InstantSource clock;
    private final StoreRunner documents;
    private final RestServer http;

    RestRunner(DocumentStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.documents = new StoreRunner(store, clock);
        this.http = new RestServer(store, clock);
    }

    @Override
    public void close() {
        http.close();
    }

    @Override
    public boolean supports(Vector vector) {
        return NOT_HERE.stream().noneMatch(vector::has);
    }

    @Override
    public Seen run(Vector vector) {
        DocumentKey key = documents.next();
        long cas = StoreRunner.prepare(store, clock, key, vector);
        Request request = vector.request(cas);
        String path = "/api/v1/buckets/" + key.keyspace().bucket() + "/docs/" + key.id()
                + (request.mutation() ? "/mutate-in" : "/lookup-in")
                + (vector.has("expiry") ? "?expiry=" + vector.node().get("expiry") : "");
        String[] headers = request.cas() == 0 ? new String[0] : new String[] {"If-Match", "\"" + request.cas() + '"'};
        Answer answer = http.post(path, body(request, vector), headers);
        Document document = await(store.getWithTombstone(key)).orElse(null);
        return new Seen(
                status(answer),
                results(answer),
                document == null || !document.live() ? null : document.body(),
                StoreRunner.attributes(document),
                document == null ? null : document.flags());
    }

    private static String body(Request request, Vector vector) {
        List<String> members = new ArrayList<>();
        if (request.kind() == Request.Kind.SINGLE) {
            members.addAll(members(request.specs().get(0)));
        } else {
            members.add("\"specs\":"
                    + request.specs().stream()
                            .map(spec -> "{" + String.join(",", members(spec)) + "}")
                            .collect(Collectors.joining(",", "[", "]")));
        }
        members.add("\"doc_flags\":" + words(request.docFlags(), SpecsReader.DOC_FLAGS));
        if (vector.has("user_flags")) {
            members.add("\"user_flags\":" + vector.node().get("user_flags"));
        }
        return "{" + String.join(",", members) + "}";
    }

    private static List<String> members(Spec spec) {
        List<String> members = new ArrayList<>();
        members.add("\"op\":" + quoted(spec.operation().word()));
        members.add("\"path\":" + quoted(new String(spec.path(), UTF_8)));
        members.add("\"flags\":" + words(spec.flags(), SpecsReader.PATH_FLAGS));
        String value = new String(spec.value(), UTF_8);
        if ((spec.flags() & PathFlag.BINARY_VALUE) != 0) {
            members.add("\"base64\":" + quoted(Base64.getEncoder().encodeToString(spec.value())));
        } else if (json(value) && value.equals(value.strip())) {
            members.add("\"value\":" + value);
        } else if (json("[" + value + "]") && !value.isEmpty()) {
            members.add("\"values\":[" + value + "]");
        } else if (!value.isEmpty()) {
            members.add("\"raw\":" + quoted(value));
        }
        return members;
    }

    private static String words(int bits, Map<String, Integer> known) {
        return known.entrySet().stream()
                .filter(word -> (bits & word.getValue()) != 0)
                .map(word -> quoted(word.getKey()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String quoted(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }

    private static boolean json(String text) {
        try {
            JsonCursor.check(text.getBytes(UTF_8));
            return true;
        } catch (MalformedJson e) {
            return false;
        }
    }

    /** A look-up with an expiry is rejected before its body is read. */
    private static Status status(Answer answer) {
        JsonNode status = answer.json().path("subdoc_status");
        return status.isMissingNode() && answer.error().equals("400 invalid_parameter")
                ? Status.EINVAL
                : Status.valueOf(status.asString());
    }

    /** Cuts the values out of the text, so that their bytes stay as they are. */
    private static List<PathResult> results(Answer answer) {
        try {
            JsonCursor cursor = new JsonCursor(answer.body(), 0, answer.body().length);
            List<PathResult> results = new ArrayList<>();
            cursor.beginObject();
            while (cursor.nextMember()) {
                switch (cursor.readName()) {
                    case "results" -> {
                        cursor.beginArray();
                        while (cursor.nextElement()) {
                            results.add(result(answer.body(), cursor));
                        }
                    }
                    case "value" -> results.add(new PathResult(0, Status.SUCCESS, spelling(answer.body(), cursor)));
                    case "base64" ->
                        results.add(new PathResult(
                                0, Status.SUCCESS, Base64.getDecoder().decode(cursor.readString())));
                    default -> cursor.skipValue();
                }
            }
            return results;
        } catch (MalformedJson e) {
            throw new AssertionError("The answer is not JSON: " + answer.text(), e);
        }
    }

    private static PathResult result(byte[] text, JsonCursor cursor) throws MalformedJson {
        int index = -1;
        Status status = Status.EINVAL;
        byte[] value = {};
        cursor.beginObject();
        while (cursor.nextMember()) {
            switch (cursor.readName()) {
                case "index" -> index = Integer.parseInt(new String(spelling(text, cursor), UTF_8));
                case "status" -> status = Status.valueOf(cursor.readString());
                case "value" -> value = spelling(text, cursor);
                case "base64" -> value = Base64.getDecoder().decode(cursor.readString());
                default -> cursor.skipValue();
            }
        }
        return new PathResult(index, status, value);
    }

    private static byte[] spelling(byte[] text, JsonCursor cursor) throws MalformedJson {
        cursor.peek();
        int start = cursor.position();
        cursor.skipValue();
        return Arrays.copyOfRange(text, start, cursor.position());
    }
}
