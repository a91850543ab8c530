package io.millrace.subdoc.operations;

import io.millrace.json.JsonSkip;
import io.millrace.subdoc.Answer;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdoc.paths.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several paths as one tree, which is walked through the document once. Every leaf is settled at the same byte at which
 * its path alone would have been, so that it gets the same answer; the walk ends when all are.
 */
final class PathTree {

    /** Everything is settled: the walk is over. */
    private static final int STOP = -3;

    private final byte[] document;
    private final int end;
    private final Node root = new Node(Path.parse(new byte[0]), 0);
    private int unsettled;

    PathTree(byte[] document) {
        this.document = document;
        this.end = document.length;
    }

    /** One look-up and its result. */
    static final class Leaf {

        private final Operation operation;
        private final int depth;
        private @Nullable Status status;
        private int start;
        private int stop;

        private Leaf(Operation operation, int depth) {
            this.operation = operation;
            this.depth = depth;
        }

        Answer answer(byte[] document) {
            Status settled = status == null ? Status.DOC_NOTJSON : status;
            if (settled != Status.SUCCESS) {
                return Answer.failed(settled);
            }
            return switch (operation) {
                case GET -> Answer.value(document, start, stop);
                case GET_COUNT -> Operations.count(document, start, depth);
                default -> Answer.done();
            };
        }
    }

    /** A component of a path, with the paths below it. */
    private static final class Node {

        private final Path path;
        private final int component;
        private final List<Leaf> leaves = new ArrayList<>(1);
        private final List<Node> children = new ArrayList<>(2);
        private boolean met;

        private Node(Path path, int component) {
            this.path = path;
            this.component = component;
        }

        private boolean index() {
            return path.isIndex(component);
        }

        private Node child(Path of, int at) {
            for (Node child : children) {
                if (child.sameAs(of, at)) {
                    return child;
                }
            }
            Node child = new Node(of, at);
            children.add(child);
            return child;
        }

        private boolean sameAs(Path other, int at) {
            if (index() || other.isIndex(at)) {
                return path.index(component) == other.index(at);
            }
            byte[] key = other.key(at);
            return path.keyEquals(component, key, 0, key.length);
        }
    }

    /** Adds a look-up. */
    Leaf add(Operation operation, Path path) {
        Leaf leaf = new Leaf(operation, path.size());
        if (path.status() != Status.SUCCESS) {
            leaf.status = path.status();
            return leaf;
        }
        Node node = root;
        for (int component = 0; component < path.size(); component++) {
            node = node.child(path, component);
        }
        node.leaves.add(leaf);
        unsettled++;
        return leaf;
    }

    void walk() {
        if (unsettled == 0) {
            return;
        }
        int start = JsonSkip.blanks(document, 0, end);
        int outcome = start == end || document[start] == '"' ? JsonSkip.NOT_JSON : visit(root, start, 0);
        if (outcome != STOP) {
            settleAll(root, outcome == JsonSkip.TOO_DEEP ? Status.DOC_E2DEEP : Status.DOC_NOTJSON);
        }
    }

    /**
     * Walks through the value of a node.
     *
     * @param depth how many containers are open around it
     * @return where the value ends, or STOP, or what is wrong
     */
    private int visit(Node node, int start, int depth) {
        if (start >= end) {
            return JsonSkip.NOT_JSON;
        }
        boolean measured = false;
        for (Leaf leaf : node.leaves) {
            leaf.start = start;
            if (leaf.operation == Operation.GET) {
                measured = true;
            } else {
                settle(leaf, Status.SUCCESS);
            }
        }
        int stop = switch (document[start]) {
            case '{' -> node.children.isEmpty() ? skip(start, depth, measured) : object(node, start, depth, measured);
            case '[' -> node.children.isEmpty() ? skip(start, depth, measured) : array(node, start, depth, measured);
            default -> {
                if (JsonSkip.begins(document[start])) {
                    settleBelow(node, null, Status.PATH_MISMATCH);
                }
                yield skip(start, depth, measured);
            }
        };
        if (stop < 0) {
            return stop;
        }
        for (Leaf leaf : node.leaves) {
            leaf.stop = stop;
            settle(leaf, Status.SUCCESS);
        }
        return unsettled == 0 ? STOP : stop;
    }

    /** Skips a value unless its end is not needed. */
    private int skip(int start, int depth, boolean measured) {
        return !measured && unsettled == 0
                ? STOP
                : JsonSkip.value(document, start, end, depth, SubdocLimits.MAX_DEPTH_LEVELS);
    }

    private int object(Node node, int start, int depth, boolean measured) {
        int wanted = settleBelow(node, true, Status.PATH_MISMATCH);
        int at = JsonSkip.blanks(document, start + 1, end);
        if (at < end && document[at] == '}') {
            settleBelow(node, false, Status.PATH_ENOENT);
            return at + 1;
        }
        while (at < end && document[at] == '"') {
            if (wanted == 0) {
                return behind(at, depth, measured);
            }
            int key = at;
            at = JsonSkip.string(document, at, end);
            if (at < 0) {
                return at;
            }
            Node child = member(node, key + 1, at - 1);
            at = JsonSkip.blanks(document, at, end);
            if (at >= end || document[at] != ':') {
                return JsonSkip.NOT_JSON;
            }
            at = JsonSkip.blanks(document, at + 1, end);
            if (child == null) {
                at = JsonSkip.value(document, at, end, depth + 1, SubdocLimits.MAX_DEPTH_LEVELS);
            } else {
                child.met = true;
                wanted--;
                at = visit(child, at, depth + 1);
            }
            if (at < 0) {
                return at;
            }
            at = JsonSkip.blanks(document, at, end);
            if (at < end && document[at] == '}') {
                settleBelow(node, false, Status.PATH_ENOENT);
                return at + 1;
            }
            if (at == end || document[at] != ',') {
                return JsonSkip.NOT_JSON;
            }
            at = JsonSkip.blanks(document, at + 1, end);
        }
        return JsonSkip.NOT_JSON;
    }

    private @Nullable Node member(Node node, int start, int stop) {
        for (Node child : node.children) {
            if (!child.met && !child.index() && child.path.keyMatches(child.component, document, start, stop)) {
                return child;
            }
        }
        return null;
    }

    private int array(Node node, int start, int depth, boolean measured) {
        int wanted = settleBelow(node, false, Status.PATH_MISMATCH);
        int at = JsonSkip.blanks(document, start + 1, end);
        if (at < end && document[at] == ']') {
            settleBelow(node, true, Status.PATH_ENOENT);
            return at + 1;
        }
        for (long index = 0; at < end; index++) {
            if (wanted == 0) {
                return behind(at, depth, measured);
            }
            int element = at;
            Node child = element(node, index);
            if (child == null) {
                at = JsonSkip.value(document, at, end, depth + 1, SubdocLimits.MAX_DEPTH_LEVELS);
            } else {
                child.met = true;
                wanted--;
                at = visit(child, at, depth + 1);
            }
            if (at < 0) {
                return at;
            }
            at = JsonSkip.blanks(document, at, end);
            if (at < end && document[at] == ']') {
                return lastElement(node, element, depth, at + 1);
            }
            if (at == end || document[at] != ',') {
                return JsonSkip.NOT_JSON;
            }
            at = JsonSkip.blanks(document, at + 1, end);
        }
        return JsonSkip.NOT_JSON;
    }

    private static @Nullable Node element(Node node, long index) {
        for (Node child : node.children) {
            if (child.index() && child.path.index(child.component) == index) {
                return child;
            }
        }
        return null;
    }

    /** Handles the end of an array: only now the last element is known. */
    private int lastElement(Node node, int element, int depth, int stop) {
        Node last = element(node, Path.LAST);
        if (last != null) {
            last.met = true;
            int outcome = visit(last, element, depth + 1);
            if (outcome < 0) {
                return outcome;
            }
        }
        settleBelow(node, true, Status.PATH_ENOENT);
        return stop;
    }

    /** The rest of a container is not needed: skips to its end if the position of that is needed. */
    private int behind(int at, int depth, boolean measured) {
        return !measured && unsettled == 0
                ? STOP
                : JsonSkip.container(document, at, end, depth + 1, SubdocLimits.MAX_DEPTH_LEVELS);
    }

    private void settle(Leaf leaf, Status status) {
        if (leaf.status == null) {
            leaf.status = status;
            unsettled--;
        }
    }

    private void settleAll(Node node, Status status) {
        for (Leaf leaf : node.leaves) {
            settle(leaf, status);
        }
        for (Node child : node.children) {
            settleAll(child, status);
        }
    }

    /**
     * Settles what lies below the children of one kind that were not met.
     *
     * @param index which kind: indexes, keys, or both for null
     * @return how many children of the other kind there are
     */
    private int settleBelow(Node node, @Nullable Boolean index, Status status) {
        int others = 0;
        for (Node child : node.children) {
            if (index != null && child.index() != index) {
                others++;
            } else if (!child.met) {
                settleAll(child, status);
            }
        }
        return others;
    }
}
