package io.millrace.subdocservice.cluster;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.VBuckets;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The configuration that SDKs bootstrap from: one node, this process, that owns every vbucket. All processes are
 * equivalent, so one address may stand for several.
 */
public final class ClusterConfig {

    private static final List<String> CAPABILITIES = List.of(
            "collections",
            "durableWrite",
            "tombstonedUserXAttrs",
            "subdoc.ReplaceBodyWithXattr",
            "subdoc.ReviveDocument",
            "subdoc.DocumentMacroSupport",
            "subdoc.ReplicaRead",
            "subdoc.BinaryXattr",
            "subdoc.AccessDeleted",
            "preserveExpiry",
            "cbhello",
            "touch",
            "cccp",
            "rangeScan",
            "xdcrCheckpointing",
            "nodesExt",
            "xattr");

    private static final int EPOCH = 1;
    private static final String VBUCKET_MAP = "[" + String.join(",", Collections.nCopies(VBuckets.COUNT, "[0]")) + "]";

    private static final String VERSION = version();

    /** Clients replace it by the address that they connected to. */
    private static final String HOST = "$HOST";

    private final long revision;
    private final ClusterPorts ports;
    private final Optional<FunctionsAddress> functions;

    ClusterConfig(long revision, ClusterPorts ports, Optional<FunctionsAddress> functions) {
        this.revision = revision;
        this.ports = ports;
        this.functions = functions;
    }

    public long epoch() {
        return EPOCH;
    }

    public long revision() {
        return revision;
    }

    public ClusterPorts ports() {
        return ports;
    }

    /** Returns the configuration without a bucket. */
    public byte[] global() {
        return bytes("{%s,%s}".formatted(head(), nodesExt()));
    }

    /** Returns the short form of a bucket's configuration, as the binary protocol and terse HTTP endpoints give it. */
    public byte[] bucket(BucketInfo bucket) {
        return bytes("{%s,%s,%s}".formatted(head(), bucketMembers(bucket), nodesExt()));
    }

    private String head() {
        return "\"rev\":%d,\"revEpoch\":%d".formatted(revision, EPOCH);
    }

    private String bucketMembers(BucketInfo bucket) {
        return ("\"name\":\"%s\",\"uuid\":\"%s\",\"nodeLocator\":\"vbucket\",\"bucketCapabilitiesVer\":\"\","
                        + "\"bucketCapabilities\":%s,\"collectionsManifestUid\":\"%x\",\"ddocs\":{},"
                        + "\"nodes\":[{\"hostname\":\"%s:%d\",\"ports\":{\"direct\":%d}}],"
                        + "\"vBucketServerMap\":{\"hashAlgorithm\":\"CRC\",\"numReplicas\":0,"
                        + "\"serverList\":[\"%s:%d\"],\"vBucketMap\":%s}")
                .formatted(
                        bucket.name(),
                        uuid(bucket),
                        capabilities(),
                        bucket.manifest(),
                        HOST,
                        ports.http(),
                        ports.kv(),
                        HOST,
                        ports.kv(),
                        VBUCKET_MAP);
    }

    /** Returns an identifier that differs from those of earlier buckets with the same name. */
    public static String uuid(BucketInfo bucket) {
        return "%016x%016x".formatted(bucket.vbucketUuid(0), bucket.incarnation());
    }

    private static String capabilities() {
        return CAPABILITIES.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
    }

    private String nodesExt() {
        return "\"clusterCapabilitiesVer\":[1,0],\"clusterCapabilities\":{\"n1ql\":[\"enhancedPreparedStatements\"]},"
                + nodes();
    }

    /** This node with all its services; a gateway elsewhere is a node that has eventing alone. */
    private String nodes() {
        String own = ports.services()
                + functions
                        .filter(FunctionsAddress::here)
                        .map(address -> "," + address.service())
                        .orElse("");
        String elsewhere = functions
                .filter(address -> !address.here())
                .map(address -> ",{\"hostname\":\"%s\",\"services\":{%s}}".formatted(address.host(), address.service()))
                .orElse("");
        return "\"nodesExt\":[{\"thisNode\":true,\"services\":{%s}}%s]".formatted(own, elsewhere);
    }

    /** Returns the services of the nodes. */
    public byte[] nodeServices() {
        return bytes("{%s,%s}".formatted(head(), nodes()));
    }

    /** Returns the list of pools, and to its reader whether it is an administrator. */
    public byte[] pools(boolean administrator) {
        return bytes("{\"implementationVersion\":\"" + VERSION + "\",\"isAdminCreds\":" + administrator
                + ",\"pools\":[{\"name\":\"default\",\"uri\":\"/pools/default\"}]}");
    }

    /** Returns the long form of the configuration without a bucket. */
    public byte[] pool() {
        return bytes(("{\"name\":\"default\",%s\"hostname\":\"%s:%d\",\"ports\":{\"direct\":%d}}],"
                        + "\"buckets\":{\"uri\":\"/pools/default/buckets\"}}")
                .formatted(node(), HOST, ports.http(), ports.kv()));
    }

    /** Returns the long form of a bucket's configuration. */
    public byte[] detailed(BucketInfo bucket) {
        return bytes("{%s,%s,%s}".formatted(head(), bucketMembers(bucket).replace("\"nodes\":[{", node()), nodesExt()));
    }

    private String node() {
        return "\"nodes\":[{\"status\":\"healthy\",\"clusterMembership\":\"active\",\"thisNode\":true,"
                + "\"version\":\"%s\",\"services\":[\"kv\",\"n1ql\"%s],"
                        .formatted(
                                VERSION,
                                functions.filter(FunctionsAddress::here).isPresent() ? ",\"eventing\"" : "");
    }

    private static String version() {
        String version = ClusterConfig.class.getPackage().getImplementationVersion();
        return "millrace-" + (version == null ? "unreleased" : version);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
