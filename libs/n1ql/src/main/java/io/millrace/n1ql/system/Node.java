package io.millrace.n1ql.system;

import java.util.UUID;

/** The process that answers, as statements name it: it knows no other one. */
public final class Node {

    private static final String NAME = "process " + ProcessHandle.current().pid();
    private static final String ID = UUID.randomUUID().toString();

    private Node() {}

    public static String name() {
        return NAME;
    }

    /** Returns an identifier that no other process and no later one has. */
    public static String id() {
        return ID;
    }
}
