package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.List;

/**
 * A group that an index has told.
 *
 * @param keys in the order of the query
 * @param aggregates in the order of the query
 * @param row with what the first entry of the group tells of its document
 */
public record IndexGroup(List<Value> keys, List<Value> aggregates, Frame row) {}
