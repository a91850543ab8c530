package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.cluster.CollectionsManifest;
import io.millrace.subdocservice.kv.scan.RangeScans.Wanted;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON with which a client begins a scan. A required seqno needs no waiting here: a scan finds every write that was
 * acknowledged before it.
 *
 * @param vbucketUuid the history that the vbucket must have, if the client requires one
 */
record RangeScanRequest(Wanted wanted, @Nullable Long vbucketUuid) {

    private static final byte[] OPEN = {};

    static RangeScanRequest read(byte[] value, BucketInfo bucket) {
        try {
            JsonNode json = JsonMapper.shared().readTree(value);
            boolean keysOnly = json.path("key_only").asBoolean(false);
            Keyspace keyspace = keyspace(json.path("collection"), bucket);
            JsonNode range = json.path("range");
            JsonNode sampling = json.path("sampling");
            if (range.isObject() == sampling.isObject()) {
                throw invalid("A scan has either a 'range' or a 'sampling'");
            }
            Wanted wanted = range.isObject() ? range(keyspace, keysOnly, range) : sample(keyspace, keysOnly, sampling);
            JsonNode uuid = json.path("snapshot_requirements").path("vb_uuid");
            return new RangeScanRequest(wanted, uuid.isMissingNode() ? null : history(uuid.asString()));
        } catch (JacksonException | IllegalArgumentException e) {
            throw invalid("The value is not the JSON of a range scan");
        }
    }

    /** Clients differ in whether the 64 bits have a sign. */
    private static long history(String uuid) {
        return uuid.startsWith("-") ? Long.parseLong(uuid) : Long.parseUnsignedLong(uuid);
    }

    private static Keyspace keyspace(JsonNode collection, BucketInfo bucket) {
        int id = collection.isMissingNode()
                ? CollectionsManifest.DEFAULT
                : Integer.parseUnsignedInt(collection.asString(), 16);
        return CollectionIds.keyspace(bucket, id);
    }

    private static Wanted range(Keyspace keyspace, boolean keysOnly, JsonNode range) {
        if (!(range.has("start") || range.has("excl_start")) || !(range.has("end") || range.has("excl_end"))) {
            throw invalid("A range has a 'start' or 'excl_start', and an 'end' or 'excl_end'");
        }
        return new Wanted(
                keyspace,
                keysOnly,
                bytes(range, "start", "excl_start"),
                range.has("start"),
                bytes(range, "end", "excl_end"),
                range.has("end"),
                0,
                0);
    }

    private static byte[] bytes(JsonNode range, String included, String excluded) {
        String text = range.path(range.has(included) ? included : excluded).asString();
        return Base64.getDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Wanted sample(Keyspace keyspace, boolean keysOnly, JsonNode sampling) {
        int samples = sampling.path("samples").asInt(0);
        if (samples < 1) {
            throw invalid("'samples' must be at least 1");
        }
        return new Wanted(
                keyspace,
                keysOnly,
                OPEN,
                true,
                OPEN,
                true,
                samples,
                sampling.path("seed").asLong(0));
    }

    private static CommandException invalid(String reason) {
        return CommandException.of(Status.EINVAL, reason);
    }
}
