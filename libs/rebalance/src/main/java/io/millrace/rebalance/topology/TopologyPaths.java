package io.millrace.rebalance.topology;

/** The MetaKV paths of the messages between nodes and cluster manager. */
public final class TopologyPaths {

    /** The directory of all topology entries. */
    public static final String DIRECTORY = "/eventing/topology/";

    public static final String LAYOUT = DIRECTORY + "layout";
    public static final String CHANGE = DIRECTORY + "change";

    /** The last task of each node, by node id. */
    public static final String TASKS = DIRECTORY + "tasks/";

    /** The rebalance tokens, by id of the change. */
    public static final String TOKENS = DIRECTORY + "rebalanceToken/";

    private TopologyPaths() {}
}
