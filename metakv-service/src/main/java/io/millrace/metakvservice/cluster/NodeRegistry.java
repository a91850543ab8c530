package io.millrace.metakvservice.cluster;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.NodeInfo;
import io.millrace.metakvservice.entries.Entries;
import io.millrace.metakvservice.entries.Mirror;
import io.millrace.metakvservice.entries.SystemBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The registry of nodes: one document each, which expires with the node's lease. */
@Component
final class NodeRegistry {

    /** A node and the end of its lease. */
    record Registration(NodeInfo node, Instant expires) {}

    /** Added to a lease, because an expiry is rounded down to the second. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    /** How often a registration is attempted while other writers change it. */
    private static final int ATTEMPTS = 20;

    /** How many former processes a registration remembers. */
    private static final int REPLACED = 8;

    /**
     * The process that registers.
     *
     * @param host the name of the machine or container; addresses such as 127.0.0.1 exist on each
     * @param process a random id that each process chooses when it starts; empty if unknown
     */
    record Place(String host, String process) {

        private static final int MAX_CHARS = 256;

        Place {
            if (Math.max(host.length(), process.length()) > MAX_CHARS) {
                throw MetakvException.of(
                        MetakvException.Code.INVALID_REQUEST,
                        "The host and the process of a node must have at most " + MAX_CHARS + " characters each.");
            }
        }
    }

    /**
     * A registration as it is stored.
     *
     * @param replaced the former processes at the same place, the latest first
     */
    private record Kept(
            String id,
            String service,
            String address,
            String version,
            String host,
            String process,
            List<String> replaced) {

        @SuppressWarnings("ConstantValue") // registrations of earlier versions have fewer fields
        Kept {
            host = host == null ? "" : host;
            process = process == null ? "" : process;
            replaced = replaced == null ? List.of() : List.copyOf(replaced);
        }

        /** Returns this registration as the successor of another one at the same place. */
        Kept after(Kept other) {
            Stream<String> before =
                    other.process().equals(process) || other.process().isEmpty()
                            ? other.replaced().stream()
                            : Stream.concat(Stream.of(other.process()), other.replaced().stream());
            return new Kept(
                    id,
                    service,
                    address,
                    version,
                    host,
                    process,
                    before.limit(REPLACED).toList());
        }
    }

    private final SystemBucket bucket;
    private final Entries entries;
    private final Mirror mirror;
    private final InstantSource clock;
    private final JsonMapper json;

    NodeRegistry(SystemBucket bucket, Entries entries, Mirror mirror, InstantSource clock, JsonMapper json) {
        this.bucket = bucket;
        this.entries = entries;
        this.mirror = mirror;
        this.clock = clock;
        this.json = json;
    }

    /** Registers a node or renews its lease; fails if a process at another place holds the id. */
    Mono<Registration> register(NodeInfo node, Place place, Duration lease) {
        if (lease.compareTo(MetakvLimits.MIN_LEASE) < 0 || lease.compareTo(MetakvLimits.MAX_LEASE) > 0) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    "leaseSeconds must be %d to %d."
                            .formatted(MetakvLimits.MIN_LEASE.toSeconds(), MetakvLimits.MAX_LEASE.toSeconds()));
        }
        Kept kept = new Kept(
                node.id(), node.service(), node.address(), node.version(), place.host(), place.process(), List.of());
        return attempt(kept, lease)
                .repeatWhenEmpty(ATTEMPTS, Flux::hide)
                .map(expires -> new Registration(node, Instant.ofEpochSecond(expires.getEpochSecond())));
    }

    /** Completes empty if another writer changed the registration at the same time. */
    private Mono<Instant> attempt(Kept node, Duration lease) {
        return Mono.defer(() -> {
            Instant expires = clock.instant().plus(lease).plus(ROUNDING);
            DocumentKey key = key(node.id());
            return bucket.get(key)
                    .map(found -> {
                        Kept other = json.readValue(found.body(), Kept.class);
                        checkPlace(node, other, found.expiry());
                        return Write.replace(key, json.writeValueAsBytes(node.after(other)))
                                .withCas(found.cas());
                    })
                    .switchIfEmpty(Mono.fromSupplier(() -> Write.insert(key, json.writeValueAsBytes(node))))
                    .flatMap(write ->
                            entries.write(write.withDatatype(Datatype.BINARY).withExpiry(Expiry.at(expires))))
                    .filter(WriteResult.Written.class::isInstance)
                    .map(written -> expires);
        });
    }

    private static void checkPlace(Kept node, Kept other, @Nullable Instant expires) {
        boolean elsewhere =
                !other.address().equals(node.address()) || !other.host().equals(node.host());
        if (elsewhere || other.replaced().contains(node.process())) {
            throw MetakvException.of(
                    MetakvException.Code.NODE_ID_TAKEN,
                    "The node id '%s' belongs to %s process at %s%s, whose lease runs until %s."
                                    .formatted(
                                            node.id(),
                                            elsewhere ? "a" : "a later",
                                            other.address(),
                                            other.host().isEmpty() ? "" : " on host '" + other.host() + "'",
                                            expires)
                            + " Set MILLRACE_NODE_ID so that each node has its own id,"
                            + " or stop that process and wait until its lease ends.");
        }
    }

    Mono<Registration> get(String id) {
        return bucket.get(key(id)).map(this::registration);
    }

    Mono<List<Registration>> list() {
        return entries.caughtUp().then(Mono.fromSupplier(this::known));
    }

    /** Returns the live nodes as this instance knows them. */
    List<Registration> known() {
        Instant now = clock.instant();
        return mirror.nodes().stream()
                .map(this::registration)
                .filter(registration -> registration.expires().isAfter(now))
                .toList();
    }

    /** Returns the ids of nodes that were removed before their leases ended, as this instance knows them. */
    SortedSet<String> left() {
        return mirror.nodesTakenOut();
    }

    /** Removes a node; succeeds if the node does not exist. */
    Mono<Void> remove(String id) {
        return entries.write(Write.remove(key(id))).then();
    }

    private Registration registration(Document document) {
        Kept kept = json.readValue(document.body(), Kept.class);
        NodeInfo node = new NodeInfo(kept.id(), kept.service(), kept.address(), kept.version());
        Instant expires = document.expiry();
        return new Registration(node, expires == null ? Instant.MAX : expires);
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(SystemBucket.NODES, id);
    }
}
