package io.millrace.subdoc;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The expected results of operations, computed on a tree. */
final class TreeOracle {

    /** A component of a path: an index, -1 for the last, or else a key. */
    record Step(boolean isIndex, int index, String key) {

        static Step index(int index) {
            return new Step(true, index, "");
        }

        static Step key(String key) {
            return new Step(false, 0, key);
        }
    }

    /** The expected result; the value and the document are null when there is none. */
    record Expected(
            Status status, @Nullable String value, @Nullable Tree document) {

        static Expected failed(Status status) {
            return new Expected(status, null, null);
        }
    }

    /** The way to a place: how far it exists, and what is there. */
    private record Walk(Status status, int matched, List<Tree> passed) {

        Tree last() {
            return passed.get(passed.size() - 1);
        }
    }

    private final Operation operation;
    private final boolean mkdirP;
    private final Tree document;
    private final List<Step> path;
    private final String value;

    TreeOracle(Operation operation, boolean mkdirP, Tree document, List<Step> path, String value) {
        this.operation = operation;
        this.mkdirP = mkdirP;
        this.document = document;
        this.path = path;
        this.value = value;
    }

    Expected expected() {
        Status refused = checkValue();
        if (refused != Status.SUCCESS) {
            return Expected.failed(refused);
        }
        if (path.isEmpty() && needsPath()) {
            return Expected.failed(operation == Operation.ARRAY_INSERT ? Status.PATH_EINVAL : Status.VALUE_CANTINSERT);
        }
        Step last = path.isEmpty() ? Step.key("") : path.get(path.size() - 1);
        if (operation == Operation.ARRAY_INSERT && (!last.isIndex() || last.index() < 0)) {
            return Expected.failed(Status.PATH_EINVAL);
        }
        if (document instanceof Tree.Scalar scalar && scalar.text().startsWith("\"")) {
            return Expected.failed(Status.DOC_NOTJSON);
        }
        Walk walk = walk();
        if (walk.status == Status.PATH_MISMATCH) {
            return Expected.failed(Status.PATH_MISMATCH);
        }
        boolean found = walk.status == Status.SUCCESS;
        return switch (operation) {
            case GET -> found ? new Expected(Status.SUCCESS, walk.last().text(), null) : missing();
            case EXISTS -> found ? new Expected(Status.SUCCESS, "", null) : missing();
            case GET_COUNT -> found ? count(walk.last()) : missing();
            case DICT_ADD, DICT_UPSERT -> dict(walk, found, last);
            case REPLACE -> found ? replaced(walk, Tree.parse(value)) : missing();
            case REMOVE -> found ? removed(walk) : missing();
            case ARRAY_INSERT -> inserted(walk, found, last);
            case COUNTER -> counter(walk, found, last);
            default -> array(walk, found);
        };
    }

    private boolean needsPath() {
        return switch (operation) {
            case GET, EXISTS, GET_COUNT, ARRAY_PUSH_FIRST, ARRAY_PUSH_LAST, ARRAY_ADD_UNIQUE -> false;
            default -> true;
        };
    }

    private static Expected missing() {
        return Expected.failed(Status.PATH_ENOENT);
    }

    private Status checkValue() {
        int wraps = switch (operation) {
            case ARRAY_PUSH_FIRST, ARRAY_PUSH_LAST, ARRAY_ADD_UNIQUE -> 1;
            default -> 0;
        };
        switch (operation) {
            case GET, EXISTS, GET_COUNT, REMOVE -> {
                return Status.SUCCESS;
            }
            case COUNTER -> {
                boolean fits = value.matches("-?[1-9][0-9]*") && new BigInteger(value).bitLength() <= Long.SIZE - 1;
                return fits ? Status.SUCCESS : Status.DELTA_EINVAL;
            }
            default -> {
                List<Tree> values;
                try {
                    values = values();
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    return Status.VALUE_CANTINSERT;
                }
                boolean many = operation.value() == Operation.Value.MANY;
                boolean primitive = operation == Operation.ARRAY_ADD_UNIQUE;
                if (values.isEmpty()
                        || !many && values.size() > 1
                        || primitive && !(values.get(0) instanceof Tree.Scalar)) {
                    return Status.VALUE_CANTINSERT;
                }
                int level = values.stream().mapToInt(Tree::level).max().orElse(0);
                return level + path.size() + wraps > 32 ? Status.VALUE_ETOODEEP : Status.SUCCESS;
            }
        }
    }

    /** A list of values is read as the content of an array. */
    private List<Tree> values() {
        return ((Tree.Array) Tree.parse("[" + value + "]")).elements();
    }

    private Walk walk() {
        List<Tree> passed = new ArrayList<>(List.of(document));
        for (int i = 0; i < path.size(); i++) {
            Step step = path.get(i);
            Tree here = passed.get(i);
            Tree next = null;
            if (step.isIndex()) {
                if (!(here instanceof Tree.Array array)) {
                    return new Walk(Status.PATH_MISMATCH, i, passed);
                }
                int index = step.index() < 0 ? array.elements().size() - 1 : step.index();
                next = index >= 0 && index < array.elements().size()
                        ? array.elements().get(index)
                        : null;
            } else {
                if (!(here instanceof Tree.Members object)) {
                    return new Walk(Status.PATH_MISMATCH, i, passed);
                }
                for (Tree.Member member : object.members()) {
                    if (next == null && unescaped(member.name()).equals(step.key())) {
                        next = member.value();
                    }
                }
            }
            if (next == null) {
                return new Walk(Status.PATH_ENOENT, i, passed);
            }
            passed.add(next);
        }
        return new Walk(Status.SUCCESS, path.size(), passed);
    }

    static String unescaped(String name) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '\\' && name.charAt(i + 1) == 'u') {
                plain.append((char) Integer.parseInt(name.substring(i + 2, i + 6), 16));
                i += 5;
            } else if (name.charAt(i) == '\\') {
                plain.append(name, i, i + 2);
                i++;
            } else {
                plain.append(name.charAt(i));
            }
        }
        return plain.toString();
    }

    private static Expected count(Tree tree) {
        return switch (tree) {
            case Tree.Scalar scalar -> Expected.failed(Status.PATH_MISMATCH);
            case Tree.Array array ->
                new Expected(Status.SUCCESS, "" + array.elements().size(), null);
            case Tree.Members object ->
                new Expected(Status.SUCCESS, "" + object.members().size(), null);
        };
    }

    private Expected dict(Walk walk, boolean found, Step last) {
        if (last.isIndex()) {
            return Expected.failed(Status.PATH_EINVAL);
        }
        if (!found) {
            return added(walk, Tree.parse(value));
        }
        return operation == Operation.DICT_ADD
                ? Expected.failed(Status.PATH_EEXISTS)
                : replaced(walk, Tree.parse(value));
    }

    private Expected counter(Walk walk, boolean found, Step last) {
        if (!found) {
            if (path.get(walk.matched).isIndex()) {
                return missing();
            }
            if (last.isIndex()) {
                return Expected.failed(Status.PATH_EINVAL);
            }
            Expected added = added(walk, new Tree.Scalar(value));
            return added.document == null ? added : new Expected(Status.SUCCESS, value, added.document);
        }
        if (!(walk.last() instanceof Tree.Scalar scalar) || !scalar.text().matches("-?[0-9]+")) {
            return Expected.failed(Status.PATH_MISMATCH);
        }
        BigInteger number = new BigInteger(scalar.text());
        if (number.bitLength() > Long.SIZE - 1) {
            return Expected.failed(Status.NUM_ERANGE);
        }
        BigInteger sum = number.add(new BigInteger(value));
        if (sum.bitLength() > Long.SIZE - 1) {
            return Expected.failed(Status.VALUE_CANTINSERT);
        }
        return new Expected(Status.SUCCESS, sum.toString(), replaced(walk, new Tree.Scalar(sum.toString())).document);
    }

    private Expected array(Walk walk, boolean found) {
        if (!found) {
            return mkdirP ? added(walk, new Tree.Array(values())) : missing();
        }
        if (!(walk.last() instanceof Tree.Array array)) {
            return Expected.failed(Status.PATH_MISMATCH);
        }
        List<Tree> elements = new ArrayList<>(array.elements());
        if (operation == Operation.ARRAY_ADD_UNIQUE) {
            for (Tree element : elements) {
                if (!(element instanceof Tree.Scalar scalar)) {
                    return Expected.failed(Status.PATH_MISMATCH);
                }
                if (scalar.text().equals(value)) {
                    return Expected.failed(Status.PATH_EEXISTS);
                }
            }
        }
        elements.addAll(operation == Operation.ARRAY_PUSH_FIRST ? 0 : elements.size(), values());
        return replaced(walk, new Tree.Array(elements));
    }

    private Expected inserted(Walk walk, boolean found, Step last) {
        if (!found && walk.matched < path.size() - 1) {
            return missing();
        }
        Tree.Array array = (Tree.Array) walk.passed.get(path.size() - 1);
        if (last.index() > array.elements().size()) {
            return missing();
        }
        List<Tree> elements = new ArrayList<>(array.elements());
        elements.addAll(last.index(), values());
        return new Expected(Status.SUCCESS, null, rebuilt(walk, path.size() - 1, new Tree.Array(elements)));
    }

    private Expected replaced(Walk walk, Tree by) {
        return new Expected(Status.SUCCESS, null, rebuilt(walk, path.size(), by));
    }

    private Expected removed(Walk walk) {
        int parent = path.size() - 1;
        Tree without = switch (walk.passed.get(parent)) {
            case Tree.Array array -> {
                List<Tree> elements = new ArrayList<>(array.elements());
                elements.remove(position(walk, parent));
                yield new Tree.Array(elements);
            }
            case Tree.Members object -> {
                List<Tree.Member> members = new ArrayList<>(object.members());
                members.remove(position(walk, parent));
                yield new Tree.Members(members);
            }
            case Tree.Scalar scalar -> throw new IllegalStateException();
        };
        return new Expected(Status.SUCCESS, null, rebuilt(walk, parent, without));
    }

    /** Adds what is missing below the last node that is there. */
    private Expected added(Walk walk, Tree leaf) {
        if (walk.matched < path.size() - 1 && !mkdirP) {
            return missing();
        }
        Tree below = leaf;
        for (int i = path.size() - 1; i > walk.matched; i--) {
            if (path.get(i).isIndex()) {
                return missing();
            }
            below = new Tree.Members(List.of(new Tree.Member(path.get(i).key(), below)));
        }
        if (!(walk.passed.get(walk.matched) instanceof Tree.Members object)) {
            return missing();
        }
        List<Tree.Member> members = new ArrayList<>(object.members());
        members.add(new Tree.Member(path.get(walk.matched).key(), below));
        return new Expected(Status.SUCCESS, null, rebuilt(walk, walk.matched, new Tree.Members(members)));
    }

    private int position(Walk walk, int at) {
        Step step = path.get(at);
        if (walk.passed.get(at) instanceof Tree.Array array) {
            return step.index() < 0 ? array.elements().size() - 1 : step.index();
        }
        List<Tree.Member> members = ((Tree.Members) walk.passed.get(at)).members();
        int position = 0;
        while (!unescaped(members.get(position).name()).equals(step.key())) {
            position++;
        }
        return position;
    }

    /** Returns the whole document with another node at a depth of the walk. */
    private Tree rebuilt(Walk walk, int depth, Tree node) {
        Tree tree = node;
        for (int i = depth - 1; i >= 0; i--) {
            int position = position(walk, i);
            switch (walk.passed.get(i)) {
                case Tree.Array array -> {
                    List<Tree> elements = new ArrayList<>(array.elements());
                    elements.set(position, tree);
                    tree = new Tree.Array(elements);
                }
                case Tree.Members object -> {
                    List<Tree.Member> members = new ArrayList<>(object.members());
                    members.set(position, new Tree.Member(members.get(position).name(), tree));
                    tree = new Tree.Members(members);
                }
                case Tree.Scalar scalar -> throw new IllegalStateException();
            }
        }
        return tree;
    }
}
