package io.millrace.n1ql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The requests that took long, the latest ones only. Thread-safe. */
final class RequestHistory {

    private final SlowRequests slow;
    private final Map<String, CompletedRequest> kept = new LinkedHashMap<>();

    RequestHistory(SlowRequests slow) {
        this.slow = slow;
    }

    void ended(CompletedRequest request) {
        if (request.elapsed().compareTo(slow.threshold()) < 0) {
            return;
        }
        synchronized (kept) {
            kept.put(request.id(), request);
            if (kept.size() > slow.most()) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        slow.listener().accept(request);
    }

    List<CompletedRequest> all() {
        synchronized (kept) {
            return List.copyOf(kept.values());
        }
    }

    boolean remove(String id) {
        synchronized (kept) {
            return kept.remove(id) != null;
        }
    }
}
