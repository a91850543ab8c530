package io.millrace.benchmarks.faults;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is left after a fault: documents and processes. */
final class Left {

    private static final int READS_IN_FLIGHT = 500;

    private Left() {}

    /** Returns those ids of which a bucket has no document. */
    static Set<String> missing(DocumentStore store, String bucket, Collection<String> ids) {
        Set<String> missing = new HashSet<>();
        List<String> all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += READS_IN_FLIGHT) {
            List<String> some = all.subList(from, Math.min(all.size(), from + READS_IN_FLIGHT));
            var found = some.stream()
                    .map(id -> store.get(new DocumentKey(Keyspace.of(bucket), id)))
                    .toList();
            for (int i = 0; i < some.size(); i++) {
                if (found.get(i).join().isEmpty()) {
                    missing.add(some.get(i));
                }
            }
        }
        return missing;
    }

    /** Returns the processes that run functions. */
    static Set<Long> workers(Suite suite) {
        Set<Long> workers = new TreeSet<>();
        ProcessHandle.of(suite.pid(Service.EVENTING))
                .ifPresent(service -> service.children().forEach(worker -> workers.add(worker.pid())));
        return workers;
    }
}
