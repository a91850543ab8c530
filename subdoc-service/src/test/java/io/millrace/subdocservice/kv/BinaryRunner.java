package io.millrace.subdocservice.kv;

import static io.millrace.documents.StoreKit.await;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request.Kind;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.Vector;
import io.millrace.subdoc.VectorRunner;
import io.millrace.subdocservice.subdocuments.StoreRunner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs sub-document requests through frames of the binary protocol. */
final class BinaryRunner implements VectorRunner, AutoCloseable {

    private static final Feature[] WITHOUT_XATTR =
            Arrays.stream(KvKit.ALL).filter(feature -> feature != Feature.XATTR).toArray(Feature[]::new);

    private final DocumentStore store;
    private final StoreKit.Clock clock;
    private final StoreRunner keys;
    private final KvKit kit;
    private @Nullable MemcachedClient client;
    private @Nullable MemcachedClient older;

    BinaryRunner(DocumentStore store, StoreKit.Clock clock) {
        this.store = store;
        this.clock = clock;
        this.keys = new StoreRunner(store, clock);
        this.kit = new KvKit(store, clock);
    }

    /** Some single requests have invalid lengths of extras; multi requests have different extras. */
    @Override
    public boolean supports(Vector vector) {
        boolean reframed = vector.kind() != Kind.SINGLE
                && vector.node().get("cmd").asString().equals("single");
        return !(reframed && vector.has("extras_len"));
    }

    @Override
    public Seen run(Vector vector) throws IOException {
        DocumentKey key = keys.next();
        long cas =
                vector.request(StoreRunner.prepare(store, clock, key, vector)).cas();
        Call call = Call.of(opcode(vector), key.id())
                .withExtras(extras(vector))
                .withValue(body(vector))
                .withDatatype(vector.node().path("datatype").asInt(0))
                .withCas(cas);
        Answer answer = (vector.has("hello_without") ? older(key) : client(key)).call(call);
        return seen(vector, answer, await(store.getWithTombstone(key)).orElse(null));
    }

    private MemcachedClient client(DocumentKey key) throws IOException {
        if (client == null) {
            client = kit.open(key.keyspace().bucket(), KvKit.ALL);
        }
        return client;
    }

    private MemcachedClient older(DocumentKey key) throws IOException {
        if (older == null) {
            older = kit.open(key.keyspace().bucket(), WITHOUT_XATTR);
        }
        return older;
    }

    private static Opcode opcode(Vector vector) {
        return switch (vector.kind()) {
            case SINGLE ->
                Opcode.valueOf(
                        "SUBDOC_" + vector.specs().get(0).operation().name().replaceFirst("^REMOVE$", "DELETE"));
            case MULTI_LOOKUP -> Opcode.SUBDOC_MULTI_LOOKUP;
            case MULTI_MUTATION -> Opcode.SUBDOC_MULTI_MUTATION;
        };
    }

    private static byte[] extras(Vector vector) {
        ByteArrayOutputStream extras = new ByteArrayOutputStream();
        if (vector.kind() == Kind.SINGLE) {
            Spec spec = vector.specs().get(0);
            extras.writeBytes(int16(spec.path().length));
            extras.write(spec.flags());
        }
        if (vector.has("expiry") || vector.has("user_flags")) {
            extras.writeBytes(Call.numbers(vector.node().path("expiry").asInt(0)));
        }
        if (vector.has("user_flags")) {
            extras.writeBytes(Call.numbers((int) vector.node().get("user_flags").asLong()));
        }
        if (vector.docFlags() != 0) {
            extras.write(vector.docFlags());
        }
        byte[] bytes = extras.toByteArray();
        return vector.has("extras_len")
                ? Arrays.copyOf(bytes, vector.node().get("extras_len").asInt())
                : bytes;
    }

    private static byte[] body(Vector vector) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Spec spec : vector.specs()) {
            if (vector.kind() != Kind.SINGLE) {
                body.write(spec.operation().code());
                body.write(spec.flags());
                body.writeBytes(int16(spec.path().length));
            }
            if (vector.kind() == Kind.MULTI_MUTATION) {
                body.writeBytes(Call.numbers(spec.value().length));
            }
            body.writeBytes(spec.path());
            if (vector.kind() != Kind.MULTI_LOOKUP) {
                body.writeBytes(spec.value());
            }
        }
        return body.toByteArray();
    }

    private static byte[] int16(int number) {
        return ByteBuffer.allocate(Short.BYTES).putShort((short) number).array();
    }

    private static Seen seen(Vector vector, Answer answer, @Nullable Document document) {
        return new Seen(
                status(answer.code()),
                results(vector.kind(), answer),
                document == null || !document.live() ? null : document.body(),
                StoreRunner.attributes(document),
                document == null ? null : document.flags());
    }

    private static List<PathResult> results(Kind kind, Answer answer) {
        List<PathResult> results = new ArrayList<>();
        ByteBuffer value = ByteBuffer.wrap(answer.value());
        Status status = status(answer.code());
        if (answer.datatype() != 0 && !status.success() || !value.hasRemaining()) {
            return results; // empty, or an error text
        }
        while (value.hasRemaining()) {
            switch (kind) {
                case SINGLE -> results.add(new PathResult(0, status, rest(value, value.remaining())));
                case MULTI_LOOKUP -> results.add(result(results.size(), value));
                case MULTI_MUTATION ->
                    results.add(
                            status.success()
                                    ? result(value.get(), value)
                                    : new PathResult(value.get(), status(value.getShort()), new byte[0]));
            }
        }
        return results;
    }

    private static PathResult result(int index, ByteBuffer value) {
        Status status = status(value.getShort());
        return new PathResult(index, status, rest(value, value.getInt()));
    }

    private static byte[] rest(ByteBuffer value, int length) {
        byte[] bytes = new byte[length];
        value.get(bytes);
        return bytes;
    }

    private static Status status(int code) {
        return Arrays.stream(Status.values())
                .filter(status -> status.code() == code)
                .findFirst()
                .orElseThrow(() -> new AssertionError("An unknown status: 0x%x".formatted(code)));
    }

    @Override
    public void close() throws IOException {
        for (MemcachedClient each : new MemcachedClient[] {client, older}) {
            if (each != null) {
                each.close();
            }
        }
        kit.close();
    }
}
