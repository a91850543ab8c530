package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** MetaKV in memory: the readable specification, and what tests use in place of metakv-service. */
final class MemoryMetakv implements MetakvClient {

    /** Tells events in their order, on one thread at a time. */
    private static final class Watcher {

        private final String directory;
        private final Queue<MetakvEvent> untold = new ConcurrentLinkedQueue<>();
        private final AtomicInteger calls = new AtomicInteger();
        private final Sinks.Many<MetakvEvent> sink = Sinks.many().unicast().onBackpressureBuffer();

        private Watcher(String directory) {
            this.directory = directory;
        }

        private void tell() {
            int answered = calls.getAndIncrement() == 0 ? 1 : 0;
            while (answered != 0) {
                for (MetakvEvent event = untold.poll(); event != null; event = untold.poll()) {
                    sink.tryEmitNext(event);
                }
                answered = calls.addAndGet(-answered);
            }
        }
    }

    private final TreeMap<String, MetakvEntry> entries = new TreeMap<>();
    private final Map<String, NodeInfo> nodes = new TreeMap<>();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private final Map<String, List<MetakvChange>> histories = new TreeMap<>();
    private long lastRev;

    @Override
    public Mono<MetakvEntry> get(String path) {
        return Mono.fromSupplier(() -> {
            MetakvPaths.entry(path);
            synchronized (this) {
                return entries.get(path);
            }
        });
    }

    @Override
    public Mono<String> set(String path, byte[] value) {
        return write(() -> {
            check(path, value);
            return put(path, value);
        });
    }

    @Override
    public Mono<WriteOutcome> set(String path, byte[] value, String rev) {
        return write(() -> {
            check(path, value);
            return rev.equals(rev(path))
                    ? new WriteOutcome.Written(put(path, value))
                    : new WriteOutcome.Conflict(rev(path));
        });
    }

    @Override
    public Mono<WriteOutcome> add(String path, byte[] value) {
        return write(() -> {
            check(path, value);
            return entries.containsKey(path)
                    ? new WriteOutcome.Conflict(rev(path))
                    : new WriteOutcome.Written(put(path, value));
        });
    }

    @Override
    public Mono<Void> delete(String path) {
        return write(() -> {
                    MetakvPaths.entry(path);
                    return remove(path);
                })
                .then();
    }

    @Override
    public Mono<WriteOutcome> delete(String path, String rev) {
        return write(() -> {
            MetakvPaths.entry(path);
            if (!rev.equals(rev(path))) {
                return new WriteOutcome.Conflict(rev(path));
            }
            remove(path);
            return new WriteOutcome.Written(Long.toString(lastRev));
        });
    }

    @Override
    public Mono<List<MetakvEntry>> list(String directory) {
        return Mono.fromSupplier(() -> below(MetakvPaths.directory(directory)));
    }

    @Override
    public Mono<List<MetakvChange>> history(String path, long below, int max) {
        return Mono.fromSupplier(() -> {
            MetakvPaths.entry(path);
            synchronized (this) {
                return histories.getOrDefault(path, List.of()).reversed().stream()
                        .filter(change -> change.version() < below)
                        .limit(max)
                        .toList();
            }
        });
    }

    private synchronized void record(String path, byte @Nullable [] value) {
        List<MetakvChange> changes = histories.computeIfAbsent(path, none -> new ArrayList<>());
        long version = changes.isEmpty() ? 1 : changes.getLast().version() + 1;
        changes.add(new MetakvChange(version, Long.toString(lastRev), value, value == null, Instant.now(), null));
        if (changes.size() > MetakvLimits.MAX_HISTORY_EVENTS) {
            changes.removeFirst();
        }
    }

    @Override
    public Mono<Integer> deleteRecursively(String directory) {
        return write(() -> {
            List<MetakvEntry> found = below(MetakvPaths.directory(directory));
            found.forEach(entry -> remove(entry.path()));
            return found.size();
        });
    }

    @Override
    public Flux<MetakvEvent> watch(String directory) {
        return Flux.defer(() -> {
            MetakvPaths.directory(directory);
            var watcher = new Watcher(directory);
            synchronized (this) {
                below(directory).forEach(entry -> watcher.untold.add(new MetakvEvent.Changed(entry)));
                watcher.untold.add(new MetakvEvent.Ready());
                watchers.add(watcher);
            }
            watcher.tell();
            return watcher.sink.asFlux().doFinally(signal -> watchers.remove(watcher));
        });
    }

    @Override
    public Mono<List<NodeInfo>> nodes() {
        return Mono.fromSupplier(() -> {
            synchronized (nodes) {
                return List.copyOf(nodes.values());
            }
        });
    }

    @Override
    public NodeLease register(NodeInfo node, Duration lease) {
        synchronized (nodes) {
            NodeInfo former = nodes.get(node.id());
            if (former != null && former.address().equals(node.address())) {
                nodes.remove(node.id()); // the process was restarted
            }
        }
        NodeLease registration = new NodeLease() {

            private boolean released;

            @Override
            public boolean current() {
                synchronized (nodes) {
                    if (!released) {
                        nodes.putIfAbsent(node.id(), node);
                    }
                    return nodes.get(node.id()) == node;
                }
            }

            @Override
            public boolean refused() {
                return !current() && !released;
            }

            @Override
            public Mono<Void> release() {
                return Mono.fromRunnable(() -> {
                    synchronized (nodes) {
                        released = true;
                        if (nodes.get(node.id()) == node) {
                            nodes.remove(node.id());
                        }
                    }
                });
            }
        };
        registration.current();
        return registration;
    }

    private static void check(String path, byte[] value) {
        MetakvPaths.entry(path);
        MetakvException.checkValue(value);
    }

    private synchronized @Nullable String rev(String path) {
        MetakvEntry entry = entries.get(path);
        return entry == null ? null : entry.rev();
    }

    /** Watchers are told after the lock has been given back: they take locks of their own. */
    private <T> Mono<T> write(Supplier<T> write) {
        return Mono.fromSupplier(() -> {
            T result;
            synchronized (this) {
                result = write.get();
            }
            watchers.forEach(Watcher::tell);
            return result;
        });
    }

    private synchronized String put(String path, byte[] value) {
        var entry = new MetakvEntry(path, value.clone(), Long.toString(++lastRev));
        entries.put(path, entry);
        record(path, entry.value());
        announce(path, new MetakvEvent.Changed(entry));
        return entry.rev();
    }

    private synchronized boolean remove(String path) {
        boolean existed = entries.remove(path) != null;
        if (existed) {
            lastRev++;
            record(path, null);
            announce(path, new MetakvEvent.Deleted(path));
        }
        return existed;
    }

    private synchronized List<MetakvEntry> below(String directory) {
        return entries.tailMap(directory).values().stream()
                .takeWhile(entry -> entry.path().startsWith(directory))
                .filter(entry -> MetakvPaths.includes(directory, entry.path()))
                .toList();
    }

    private void announce(String path, MetakvEvent event) {
        for (Watcher watcher : watchers) {
            if (MetakvPaths.includes(watcher.directory, path)) {
                watcher.untold.add(event);
            }
        }
    }
}
