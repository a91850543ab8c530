package io.millrace.n1ql.keyspace;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sequences in memory. */
final class MemorySequences implements SequenceStore {

    private final Map<SequenceName, Kept> sequences = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();

    @Override
    public @Nullable Kept find(SequenceName name) {
        return sequences.get(name);
    }

    @Override
    public List<Sequence> all() {
        return sequences.values().stream().map(Kept::sequence).toList();
    }

    @Override
    public boolean create(Sequence sequence) {
        return sequences.putIfAbsent(sequence.name(), kept(sequence)) == null;
    }

    @Override
    public boolean replace(Kept seen, Sequence now) {
        return sequences.replace(now.name(), seen, kept(now));
    }

    private Kept kept(Sequence sequence) {
        return new Kept(sequence, versions.incrementAndGet());
    }

    @Override
    public boolean drop(SequenceName name) {
        return sequences.remove(name) != null;
    }
}
