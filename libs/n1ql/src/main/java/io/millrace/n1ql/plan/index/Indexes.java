package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.operator.KeyspaceRef;
import java.util.List;

/** The secondary indexes that a plan may use. A plan is valid as long as the indexes that it asked for do not change. */
public interface Indexes {

    Indexes NONE = ref -> List.of();

    /** Returns the online indexes of a keyspace. */
    List<CompiledIndex> of(KeyspaceRef ref);
}
