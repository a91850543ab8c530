package io.millrace.n1ql;

import io.millrace.n1ql.system.RequestTimes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The requests that took long, the latest ones only, and how long all of the latest took. Thread-safe. */
final class RequestHistory {

    private final SlowRequests slow;
    private final RequestTimes times = new RequestTimes();
    private final Map<String, CompletedRequest> kept = new LinkedHashMap<>();

    RequestHistory(SlowRequests slow) {
        this.slow = slow;
    }

    void ended(CompletedRequest request) {
        times.ended(request.elapsed());
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

    RequestTimes times() {
        return times;
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
