package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.operator.KeyspaceRef;
import java.util.List;

/** The secondary indexes that a plan may use. A plan holds as long as those that it asked for stay as they are. */
public interface Indexes {

    Indexes NONE = ref -> List.of();

    /** Returns those of a keyspace that are online. */
    List<CompiledIndex> of(KeyspaceRef ref);
}
