package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a watch has emitted so far. It outlives connections, so that after a new full list only the differences are emitted:
 * each method takes what came and returns the events to emit. Not thread-safe.
 */
public final class WatchState {

    private final Map<String, String> revs = new HashMap<>();
    private @Nullable Set<String> listed;
    private boolean readyTold;

    /** A full list follows, up to {@link #ready()}; entries that are not in it do not exist. */
    public void reset() {
        listed = new HashSet<>();
    }

    /** An entry as it is now. */
    public List<MetakvEvent> changed(MetakvEntry entry) {
        if (listed != null) {
            listed.add(entry.path());
        }
        return entry.rev().equals(revs.put(entry.path(), entry.rev()))
                ? List.of()
                : List.of(new MetakvEvent.Changed(entry));
    }

    /** An entry that does not exist any more. */
    public List<MetakvEvent> deleted(String path) {
        return revs.remove(path) == null ? List.of() : List.of(new MetakvEvent.Deleted(path));
    }

    /** Everything that there was up to now has come. */
    public List<MetakvEvent> ready() {
        var told = new ArrayList<MetakvEvent>();
        Set<String> there = listed;
        if (there != null) {
            List<String> gone = revs.keySet().stream()
                    .filter(path -> !there.contains(path))
                    .sorted()
                    .toList();
            gone.forEach(path -> told.addAll(deleted(path)));
            listed = null;
        }
        if (!readyTold) {
            readyTold = true;
            told.add(new MetakvEvent.Ready());
        }
        return told;
    }
}
