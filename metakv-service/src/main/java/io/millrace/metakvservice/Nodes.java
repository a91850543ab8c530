package io.millrace.metakvservice;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Write;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The registry of nodes: one document each, which expires with the node's lease. */
@Component
final class Nodes {

    /** A node and until when it is registered. */
    record Registration(NodeInfo node, Instant expires) {}

    /** An expiry is cut to the second; a lease is never cut short. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    private final SystemBucket bucket;
    private final Entries entries;
    private final Mirror mirror;
    private final InstantSource clock;
    private final JsonMapper json;

    Nodes(SystemBucket bucket, Entries entries, Mirror mirror, InstantSource clock, JsonMapper json) {
        this.bucket = bucket;
        this.entries = entries;
        this.mirror = mirror;
        this.clock = clock;
        this.json = json;
    }

    /** Registers a node or renews its lease. */
    Mono<Registration> register(NodeInfo node, Duration lease) {
        if (lease.compareTo(MetakvLimits.MIN_LEASE) < 0 || lease.compareTo(MetakvLimits.MAX_LEASE) > 0) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    "leaseSeconds is %d to %d."
                            .formatted(MetakvLimits.MIN_LEASE.toSeconds(), MetakvLimits.MAX_LEASE.toSeconds()));
        }
        Instant expires = clock.instant().plus(lease).plus(ROUNDING);
        Write write = Write.upsert(key(node.id()), json.writeValueAsBytes(node))
                .withDatatype(Datatype.BINARY)
                .withExpiry(Expiry.at(expires));
        return entries.write(write).thenReturn(new Registration(node, Instant.ofEpochSecond(expires.getEpochSecond())));
    }

    Mono<Registration> get(String id) {
        return bucket.get(key(id)).map(this::registration);
    }

    Mono<List<Registration>> list() {
        return entries.caughtUp().then(Mono.fromSupplier(this::known));
    }

    /** Returns the nodes as far as this instance has heard of them. */
    List<Registration> known() {
        Instant now = clock.instant();
        return mirror.nodes().stream()
                .map(this::registration)
                .filter(registration -> registration.expires().isAfter(now))
                .toList();
    }

    /** Returns the ids of nodes that were taken out and did not run out, as far as this instance has heard of them. */
    SortedSet<String> left() {
        return mirror.nodesTakenOut();
    }

    /** Takes a node out; one that is not there is no error. */
    Mono<Void> remove(String id) {
        return entries.write(Write.remove(key(id))).then();
    }

    private Registration registration(Document document) {
        NodeInfo node = json.readValue(document.body(), NodeInfo.class);
        Instant expires = document.expiry();
        return new Registration(node, expires == null ? Instant.MAX : expires);
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(SystemBucket.NODES, id);
    }
}
