package io.millrace.eventing.http;

import io.millrace.metakv.MetakvChange;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.NodeInfo;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A MetaKV that a test can take away. */
final class FlakyMetakv implements MetakvClient {

    private final MetakvClient metakv;
    private volatile boolean away;

    FlakyMetakv(MetakvClient metakv) {
        this.metakv = metakv;
    }

    void setAway(boolean newAway) {
        away = newAway;
    }

    private <T> Mono<T> unlessAway(Mono<T> call) {
        return Mono.defer(() ->
                away ? Mono.error(MetakvException.unavailable("connection refused", new java.io.IOException())) : call);
    }

    @Override
    public Mono<MetakvEntry> get(String path) {
        return unlessAway(metakv.get(path));
    }

    @Override
    public Mono<String> set(String path, byte[] value) {
        return unlessAway(metakv.set(path, value));
    }

    @Override
    public Mono<WriteOutcome> set(String path, byte[] value, String rev) {
        return unlessAway(metakv.set(path, value, rev));
    }

    @Override
    public Mono<WriteOutcome> add(String path, byte[] value) {
        return unlessAway(metakv.add(path, value));
    }

    @Override
    public Mono<Void> delete(String path) {
        return unlessAway(metakv.delete(path));
    }

    @Override
    public Mono<WriteOutcome> delete(String path, String rev) {
        return unlessAway(metakv.delete(path, rev));
    }

    @Override
    public Mono<List<MetakvEntry>> list(String directory) {
        return unlessAway(metakv.list(directory));
    }

    @Override
    public Mono<List<MetakvChange>> history(String path, long below, int max) {
        return unlessAway(metakv.history(path, below, max));
    }

    @Override
    public Mono<Integer> deleteRecursively(String directory) {
        return unlessAway(metakv.deleteRecursively(directory));
    }

    @Override
    public Flux<MetakvEvent> watch(String directory) {
        return metakv.watch(directory);
    }

    @Override
    public Mono<List<NodeInfo>> nodes() {
        return unlessAway(metakv.nodes());
    }

    @Override
    public NodeLease register(NodeInfo node, Duration lease) {
        return metakv.register(node, lease);
    }
}
