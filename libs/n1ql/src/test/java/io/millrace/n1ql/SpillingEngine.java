package io.millrace.n1ql;

import io.millrace.n1ql.QueryEngine.MemoryWatch;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.runtime.Memory;
import java.time.InstantSource;

/** An engine whose sorts, groups and joins go to files after a few rows. */
public final class SpillingEngine {

    private static final Memory SMALL = new Memory(8 << 20, 500, 64 << 20);

    private SpillingEngine() {}

    public static QueryEngine over(KeyspaceStore store) {
        return over(store, SMALL);
    }

    static QueryEngine over(KeyspaceStore store, Memory memory) {
        return new QueryEngine(
                store,
                InstantSource.system(),
                MemoryWatch.NONE,
                SlowRequests.DEFAULT,
                Admission.NONE,
                ScriptFunctions.NONE,
                ServiceCatalog.NONE,
                memory);
    }
}
