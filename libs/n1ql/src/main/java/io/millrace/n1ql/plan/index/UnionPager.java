package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.operator.DocumentReader.KeySource;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.HeldBytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Reads the keys of several indexes, of one after the other, each key once; no more entries than it is asked for. */
final class UnionPager implements KeySource {

    private final Execution execution;
    private final Deque<EntryPager> left;
    private final Set<String> given = new HashSet<>();
    private final HeldBytes held;

    /** @param held counts the keys that have been given */
    UnionPager(List<EntryPager> pagers, Execution execution, HeldBytes held) {
        this.left = new ArrayDeque<>(pagers);
        this.execution = execution;
        this.held = held;
    }

    /** Waits for the entries on this thread, because the conditions of the next index may have to be evaluated. */
    @Override
    public CompletableFuture<List<String>> keys(int max) {
        List<String> found = new ArrayList<>();
        while (found.size() < max && !left.isEmpty()) {
            execution.check();
            int missing = max - found.size();
            List<String> page = execution.await(left.getFirst().keys(missing));
            if (page.size() < missing) {
                left.removeFirst();
            }
            for (String key : page) {
                if (given.add(key)) {
                    held.add(IndexReader.ID_BYTES + key.length());
                    found.add(key);
                }
            }
        }
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public boolean ended() {
        return left.stream().allMatch(EntryPager::ended);
    }
}
