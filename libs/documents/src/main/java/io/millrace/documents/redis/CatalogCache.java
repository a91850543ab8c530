package io.millrace.documents.redis;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A copy of the catalog, so that calls need no round trip for it. It is read again after a notification, when a caller asks
 * for something that it does not contain, and, while in use, twice per {@link io.millrace.documents.Limits#SLOW_POLL}. A
 * copy older than that is not used.
 */
final class CatalogCache implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private record Entry(byte[] raw, RedisBucket bucket) {}

    private record Snapshot(Map<String, Entry> entries, long readAt) {
        @Nullable
        RedisBucket living(String name) {
            Entry entry = entries.get(name);
            return entry == null || entry.bucket.descriptor.dropped() || entry.bucket.descriptor.newer()
                    ? null
                    : entry.bucket;
        }
    }

    private final RedisLink link;
    private final ChangeNotifier notifier;
    private final long slowPollNanos;
    private final CatalogCache root;
    private final Predicate<String> open;

    /** The newest seqno of each shard, by topic, that a reader in this process has seen. */
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    private volatile @Nullable Snapshot snapshot;
    private volatile boolean refreshingAhead;
    private boolean reading;
    private @Nullable CompletableFuture<CatalogCache> following;
    private ChangeNotifier.@Nullable Subscription subscription;

    CatalogCache(RedisLink link, ChangeNotifier notifier, Duration slowPoll) {
        this.link = link;
        this.notifier = notifier;
        this.slowPollNanos = slowPoll.toNanos();
        this.root = this;
        this.open = SystemHandle::isOrdinary;
    }

    private CatalogCache(CatalogCache root, Predicate<String> open) {
        this.link = root.link;
        this.notifier = root.notifier;
        this.slowPollNanos = root.slowPollNanos;
        this.root = root;
        this.open = open;
    }

    /** Returns this catalog with another set of open buckets. */
    CatalogCache with(SystemHandle handle) {
        return new CatalogCache(root, handle::opens);
    }

    /** Notes that a reader has seen a seqno of a shard. */
    void saw(String topic, long seqno) {
        root.seen.merge(topic, seqno, Math::max);
    }

    /** Returns the newest seqno of a shard that a reader in this process has seen. */
    long seen(String topic) {
        return root.seen.getOrDefault(topic, 0L);
    }

    /** Returns the reason why a bucket cannot be used here, or null if it is open. */
    @Nullable
    DocumentsException refusal(String bucket) {
        return open.test(bucket) ? null : DocumentsException.systemBucket(bucket);
    }

    /** Returns the place of a document, or null if it is known only after a {@link #refresh()}. */
    @Nullable
    Place place(DocumentKey key) {
        RedisBucket bucket = known(key.keyspace().bucket());
        return bucket == null ? null : bucket.place(key);
    }

    /** Returns the place of a document according to this copy; throws if its bucket, scope or collection does not exist. */
    Place require(DocumentKey key) {
        RedisBucket bucket = require(key.keyspace().bucket());
        return bucket.place(key, bucket.require(key.keyspace()));
    }

    /** Returns a bucket, or fails with {@code BUCKET_NOT_FOUND}. */
    CompletableFuture<RedisBucket> bucket(String name) {
        DocumentsException refusal = refusal(name);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        RedisBucket known = known(name);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : refresh().thenApply(fresh -> fresh.require(name));
    }

    RedisBucket require(String name) {
        DocumentsException refusal = refusal(name);
        if (refusal != null) {
            throw refusal;
        }
        Snapshot last = root.snapshot;
        RedisBucket bucket = last == null ? null : last.living(name);
        if (bucket == null) {
            Entry newer = last == null ? null : last.entries.get(name);
            if (newer != null && newer.bucket.descriptor.newer()) {
                throw DocumentsException.newerFormat(name, newer.bucket.descriptor.format(), BucketDescriptor.FORMAT);
            }
            throw DocumentsException.bucketNotFound(name);
        }
        return bucket;
    }

    /** Returns the buckets in this copy that exist and are open here. */
    Collection<RedisBucket> living() {
        Snapshot last = root.snapshot;
        return last == null
                ? List.of()
                : last.entries.values().stream()
                        .map(Entry::bucket)
                        .filter(bucket -> !bucket.descriptor.dropped())
                        .filter(bucket -> open.test(bucket.descriptor.name()))
                        .toList();
    }

    /** Returns the record of a dropped bucket, or null. */
    @Nullable
    BucketDescriptor dropped(String name) {
        Snapshot last = root.snapshot;
        Entry entry = last == null || !open.test(name) ? null : last.entries.get(name);
        return entry == null || !entry.bucket.descriptor.dropped() ? null : entry.bucket.descriptor;
    }

    private @Nullable RedisBucket known(String name) {
        Snapshot last = root.snapshot;
        if (last == null || !open.test(name)) {
            return null;
        }
        long age = System.nanoTime() - last.readAt;
        if (age > slowPollNanos) {
            return null;
        }
        if (age > slowPollNanos / 2 && !root.refreshingAhead) {
            root.refreshingAhead = true;
            root.refresh();
        }
        return last.living(name);
    }

    /** Reads the catalog, beginning after this call; completes when it has been read. */
    CompletableFuture<CatalogCache> refresh() {
        if (root != this) {
            return root.refresh().thenApply(fresh -> this);
        }
        CompletableFuture<CatalogCache> answer = new CompletableFuture<>();
        synchronized (this) {
            if (reading) {
                following = following == null ? answer : following;
                return following;
            }
            reading = true;
        }
        read(answer);
        return answer;
    }

    private void read(CompletableFuture<CatalogCache> answer) {
        link.ready()
                .thenCompose(redis -> redis.hgetall(Keys.CATALOG))
                .thenAccept(this::keep)
                .whenComplete((done, failure) -> {
                    readFollowing();
                    if (failure == null) {
                        answer.complete(this);
                    } else {
                        answer.completeExceptionally(DocumentsException.of(failure));
                    }
                });
    }

    private void readFollowing() {
        CompletableFuture<CatalogCache> next;
        synchronized (this) {
            next = following;
            following = null;
            reading = next != null;
            refreshingAhead = false;
        }
        if (next != null) {
            read(next);
        }
    }

    private synchronized void keep(Map<byte[], byte[]> raw) {
        Snapshot last = snapshot;
        Map<String, Entry> entries = new HashMap<>();
        raw.forEach((key, bytes) -> {
            String name = Bytes.text(key);
            Entry before = last == null ? null : last.entries.get(name);
            boolean same = before != null && Arrays.equals(before.raw, bytes);
            entries.put(name, same ? before : new Entry(bytes, new RedisBucket(decode(bytes))));
        });
        snapshot = new Snapshot(Collections.unmodifiableMap(entries), System.nanoTime());
        if (subscription == null) {
            subscription = notifier.subscribe(Keys.CATALOG_TOPIC, this::refresh);
        }
    }

    static BucketDescriptor decode(byte[] entry) {
        return JSON.readValue(entry, BucketDescriptor.class);
    }

    static byte[] encode(BucketDescriptor descriptor) {
        return JSON.writeValueAsBytes(descriptor);
    }

    @Override
    public synchronized void close() {
        if (subscription != null) {
            subscription.close();
        }
    }
}
