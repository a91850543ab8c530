package io.millrace.subdocservice.pools;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.VBuckets;
import io.millrace.subdocservice.cluster.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A bucket as the management API shows it: the cluster configuration of the bucket together with its settings. */
final class BucketJson {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final long MEBIBYTE = 1024 * 1024;

    private BucketJson() {}

    /**
     * Returns a bucket without the configuration of the cluster.
     *
     * @param documents how many documents the bucket has
     */
    static ObjectNode of(BucketInfo bucket, long documents) {
        ObjectNode json = JSON.createObjectNode().put("name", bucket.name()).put("uuid", ClusterConfig.uuid(bucket));
        return put(json, bucket, documents);
    }

    /** @param documents how many documents the bucket has */
    static ObjectNode of(ClusterConfig config, BucketInfo bucket, long documents) {
        return put((ObjectNode) JSON.readTree(config.detailed(bucket)), bucket, documents);
    }

    private static ObjectNode put(ObjectNode json, BucketInfo bucket, long documents) {
        String uri = "/pools/default/buckets/" + bucket.name();
        json.put("uri", uri);
        json.put("streamingUri", "/pools/default/bs/" + bucket.name());
        json.put("authType", "sasl");
        json.put("numVBuckets", VBuckets.COUNT);
        for (String word : new String[] {
            BucketForm.TYPE, BucketForm.BACKEND, BucketForm.EVICTION, BucketForm.COMPRESSION, BucketForm.CONFLICTS
        }) {
            json.put(word, setting(bucket, word));
        }
        json.put(BucketForm.REPLICAS, Integer.parseInt(setting(bucket, BucketForm.REPLICAS)));
        json.put(
                BucketForm.REPLICA_INDEX,
                setting(bucket, BucketForm.REPLICA_INDEX).equals("1"));
        json.put("maxTTL", 0);
        json.put("durabilityMinLevel", "none");
        json.put("autoCompactionSettings", false);
        long quota = Long.parseLong(setting(bucket, BucketForm.QUOTA)) * MEBIBYTE;
        json.putObject("quota").put("ram", quota).put("rawRAM", quota);
        json.putObject("basicStats").put("itemCount", documents).put("quotaPercentUsed", 0);
        json.putObject("ddocs").put("uri", uri + "/ddocs");
        ObjectNode controllers = json.putObject("controllers");
        if (flushable(bucket)) {
            controllers.put("flush", uri + "/controller/doFlush");
        }
        return json;
    }

    static boolean flushable(BucketInfo bucket) {
        return setting(bucket, BucketForm.FLUSH).equals("1");
    }

    private static String setting(BucketInfo bucket, String name) {
        String set = bucket.settings().get(name);
        return set == null ? Objects.requireNonNull(BucketForm.DEFAULTS.get(name)) : set;
    }

    static byte[] bytes(Object tree) {
        return JSON.writeValueAsString(tree).getBytes(StandardCharsets.UTF_8);
    }
}
