package io.millrace.n1ql.plan.index;

import java.util.List;

/** The documents of the alternatives of an OR: for each, the indexes that can serve it. */
record UnionPath(List<List<IndexPath>> alternatives) {}
