package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.plan.operator.DocumentReader.KeySource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The keys of a source that are among others. */
public final class KeysAmong implements KeySource {

    private final KeySource source;
    private final Set<String> others;
    private final int page;
    private final Deque<String> found = new ArrayDeque<>();
    private boolean ended;

    /** @param page how many keys are read at a time, because few of them may be among the others */
    public KeysAmong(KeySource source, Set<String> others, int page) {
        this.source = source;
        this.others = others;
        this.page = page;
    }

    @Override
    public CompletableFuture<List<String>> keys(int max) {
        if (ended || found.size() >= max) {
            List<String> next = new ArrayList<>();
            while (next.size() < max && !found.isEmpty()) {
                next.add(found.poll());
            }
            return CompletableFuture.completedFuture(next);
        }
        return source.keys(page).thenCompose(read -> {
            read.stream().filter(others::contains).forEach(found::add);
            ended = read.size() < page;
            return keys(max);
        });
    }

    @Override
    public boolean ended() {
        return ended && found.isEmpty();
    }
}
