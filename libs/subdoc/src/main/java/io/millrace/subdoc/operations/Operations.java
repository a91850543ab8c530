package io.millrace.subdoc.operations;

import io.millrace.json.JsonSkip;
import io.millrace.json.Utf8;
import io.millrace.subdoc.Answer;
import io.millrace.subdoc.Answer.Edit;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubDocuments;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdoc.paths.Locator;
import io.millrace.subdoc.paths.Path;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One operation on one document: finds the place and says what to cut out and what to put in. */
public final class Operations {

    private static final byte[] NOTHING = {};

    /** Carries out one operation; see {@link SubDocuments#run}. */
    public static Answer run(Operation operation, boolean mkdirP, byte[] document, byte[] path, byte[] value) {
        Path parsed = Path.parse(path);
        Status status = parsed.status();
        if (status == Status.SUCCESS) {
            status = Values.check(operation, parsed, value);
        }
        return status == Status.SUCCESS
                ? new Operations(document, parsed, value, mkdirP).run(operation)
                : Answer.failed(status);
    }

    /** The same as {@link #run} with a value that is known to be a scalar, although it may not be UTF-8 yet. */
    public static Answer runWithScalar(
            Operation operation, boolean mkdirP, byte[] document, byte[] path, byte[] value) {
        Path parsed = Path.parse(path);
        Status status = parsed.status();
        if (status == Status.SUCCESS) {
            status = Values.fits(operation, parsed, 1);
        }
        return status == Status.SUCCESS
                ? new Operations(document, parsed, value, mkdirP).run(operation)
                : Answer.failed(status);
    }

    /** Carries out several look-ups in one pass; see {@link SubDocuments#lookUp}. */
    public static List<Answer> lookUp(byte[] document, List<Spec> specs) {
        if (specs.size() == 1) {
            Spec spec = specs.get(0);
            return List.of(run(spec.operation(), false, document, spec.path(), spec.value()));
        }
        PathTree tree = new PathTree(document);
        List<PathTree.Leaf> leaves = new ArrayList<>(specs.size());
        for (Spec spec : specs) {
            leaves.add(tree.add(spec.operation(), Path.parse(spec.path())));
        }
        tree.walk();
        List<Answer> answers = new ArrayList<>(specs.size());
        for (PathTree.Leaf leaf : leaves) {
            answers.add(leaf.answer(document));
        }
        return answers;
    }

    private final byte[] document;
    private final Path path;
    private final byte[] value;
    private final boolean mkdirP;
    private final Locator locator;

    private Operations(byte[] document, Path path, byte[] value, boolean mkdirP) {
        this.document = document;
        this.path = path;
        this.value = value;
        this.mkdirP = mkdirP;
        this.locator = new Locator(document, path);
    }

    private Answer run(Operation operation) {
        return switch (operation) {
            case GET, GET_DOC -> get();
            case EXISTS -> found(locate(), Answer.done());
            case GET_COUNT -> count();
            case DICT_ADD, DICT_UPSERT -> dict(operation);
            case REMOVE -> remove();
            case REPLACE -> replace();
            case ARRAY_PUSH_LAST, ARRAY_PUSH_FIRST, ARRAY_ADD_UNIQUE -> array(operation);
            case ARRAY_INSERT -> insert();
            case COUNTER -> counter();
            case SET_DOC, DELETE_DOC, REPLACE_BODY_WITH_XATTR ->
                throw new IllegalArgumentException(operation + " is not an operation at a path of one document");
        };
    }

    private Locator.Place locate() {
        return locator.locate(path.size());
    }

    /** Returns the answer for a place that was found, and the reason for one that was not. */
    private static Answer found(Locator.Place place, Answer answer) {
        return switch (place) {
            case FOUND -> answer;
            case MISSING -> Answer.failed(Status.PATH_ENOENT);
            case MISMATCH -> Answer.failed(Status.PATH_MISMATCH);
            case NOT_JSON -> Answer.failed(Status.DOC_NOTJSON);
            case TOO_DEEP -> Answer.failed(Status.DOC_E2DEEP);
        };
    }

    private static Answer broken(int code) {
        return Answer.failed(code == JsonSkip.TOO_DEEP ? Status.DOC_E2DEEP : Status.DOC_NOTJSON);
    }

    /** Returns where the value ends that was found, or what is wrong with it. */
    private int stop() {
        return JsonSkip.value(document, locator.start(), document.length, path.size(), SubdocLimits.MAX_DEPTH_LEVELS);
    }

    private Answer get() {
        Locator.Place place = locate();
        if (place != Locator.Place.FOUND) {
            return found(place, Answer.done());
        }
        int stop = stop();
        return stop < 0 ? broken(stop) : Answer.value(document, locator.start(), stop);
    }

    private Answer count() {
        Locator.Place place = locate();
        if (place != Locator.Place.FOUND) {
            return found(place, Answer.done());
        }
        return count(document, locator.start(), path.size());
    }

    /** Counts the entries of the container at a position. */
    static Answer count(byte[] document, int start, int depth) {
        byte first = document[start];
        if (first != '{' && first != '[') {
            return Answer.failed(Status.PATH_MISMATCH);
        }
        int end = document.length;
        int at = JsonSkip.blanks(document, start + 1, end);
        if (at < end && document[at] == (first == '{' ? '}' : ']')) {
            return Answer.number(0);
        }
        long entries = 0;
        while (at < end) {
            if (first == '{') {
                at = document[at] == '"' ? JsonSkip.string(document, at, end) : JsonSkip.NOT_JSON;
                at = at < 0 ? at : JsonSkip.blanks(document, at, end);
                if (at < 0 || at == end || document[at] != ':') {
                    return Answer.failed(Status.DOC_NOTJSON);
                }
                at = JsonSkip.blanks(document, at + 1, end);
            }
            at = JsonSkip.value(document, at, end, depth + 1, SubdocLimits.MAX_DEPTH_LEVELS);
            if (at < 0) {
                return broken(at);
            }
            entries++;
            at = JsonSkip.blanks(document, at, end);
            if (at == end || document[at] != ',') {
                boolean closed = at < end && document[at] == (first == '{' ? '}' : ']');
                return closed ? Answer.number(entries) : Answer.failed(Status.DOC_NOTJSON);
            }
            at = JsonSkip.blanks(document, at + 1, end);
        }
        return Answer.failed(Status.DOC_NOTJSON);
    }

    private Answer dict(Operation operation) {
        if (path.size() == 0) {
            return Answer.failed(Status.VALUE_CANTINSERT);
        }
        Locator.Place place = locate();
        boolean element = path.isIndex(path.size() - 1);
        return switch (place) {
            case FOUND -> {
                if (element) {
                    yield Answer.failed(Status.PATH_EINVAL);
                }
                yield operation == Operation.DICT_ADD ? Answer.failed(Status.PATH_EEXISTS) : replaceFound();
            }
            case MISSING -> element ? Answer.failed(Status.PATH_EINVAL) : addMissing(value);
            default -> found(place, Answer.done());
        };
    }

    private Answer replace() {
        if (path.size() == 0) {
            return Answer.failed(Status.VALUE_CANTINSERT);
        }
        Locator.Place place = locate();
        return place == Locator.Place.FOUND ? replaceFound() : found(place, Answer.done());
    }

    private Answer replaceFound() {
        int stop = stop();
        return stop < 0 ? broken(stop) : edit(locator.start(), stop, value);
    }

    /** Drops the entry and one comma: the one behind it, or the one before it when it is the last. */
    private Answer remove() {
        if (path.size() == 0) {
            return Answer.failed(Status.VALUE_CANTINSERT);
        }
        Locator.Place place = locate();
        if (place != Locator.Place.FOUND) {
            return found(place, Answer.done());
        }
        int stop = stop();
        if (stop < 0) {
            return broken(stop);
        }
        int next = JsonSkip.blanks(document, stop, document.length);
        if (next == document.length) {
            return Answer.failed(Status.DOC_NOTJSON);
        }
        if (document[next] == ',') {
            return edit(locator.entry(), next + 1, NOTHING);
        }
        return edit(locator.comma() < 0 ? locator.entry() : locator.comma(), stop, NOTHING);
    }

    /** Operations whose path leads to the array itself. */
    private Answer array(Operation operation) {
        if (operation == Operation.ARRAY_PUSH_LAST && path.size() == 0) {
            return pushLastOnRoot();
        }
        Locator.Place place = locate();
        if (place == Locator.Place.MISSING) {
            return mkdirP ? addMissing(join("[", value, "]")) : Answer.failed(Status.PATH_ENOENT);
        }
        if (place != Locator.Place.FOUND) {
            return found(place, Answer.done());
        }
        int open = locator.start();
        if (document[open] != '[') {
            return Answer.failed(Status.PATH_MISMATCH);
        }
        int first = JsonSkip.blanks(document, open + 1, document.length);
        if (first == document.length) {
            return Answer.failed(Status.DOC_NOTJSON);
        }
        if (document[first] == ']') {
            return edit(open + 1, first, value);
        }
        return switch (operation) {
            case ARRAY_PUSH_FIRST -> edit(first, first, join("", value, ","));
            case ARRAY_ADD_UNIQUE -> addUnique(first);
            default -> {
                int stop = stop();
                yield stop < 0 ? broken(stop) : edit(stop - 1, stop - 1, join(",", value, ""));
            }
        };
    }

    /** An array that is the whole document ends where the document ends: nothing needs to be skipped. */
    private Answer pushLastOnRoot() {
        int open = JsonSkip.blanks(document, 0, document.length);
        if (open == document.length || document[open] != '[') {
            Locator.Place place = locate();
            return found(place, Answer.failed(Status.PATH_MISMATCH));
        }
        int close = document.length - 1;
        while (close > open && document[close] != ']' && JsonSkip.blanks(document, close, close + 1) > close) {
            close--;
        }
        if (close == open || document[close] != ']') {
            return Answer.failed(Status.DOC_NOTJSON);
        }
        int last = close - 1;
        while (JsonSkip.blanks(document, last, last + 1) > last) {
            last--;
        }
        return edit(last + 1, close, last == open ? value : join(",", value, ""));
    }

    private Answer addUnique(int first) {
        int end = document.length;
        int at = first;
        while (true) {
            if (at < end && (document[at] == '{' || document[at] == '[')) {
                return Answer.failed(Status.PATH_MISMATCH);
            }
            int stop = JsonSkip.value(document, at, end, path.size() + 1, SubdocLimits.MAX_DEPTH_LEVELS);
            if (stop < 0) {
                return broken(stop);
            }
            if (Arrays.equals(document, at, stop, value, 0, value.length)) {
                return Answer.failed(Status.PATH_EEXISTS);
            }
            at = JsonSkip.blanks(document, stop, end);
            if (at < end && document[at] == ']') {
                return edit(at, at, join(",", value, ""));
            }
            if (at == end || document[at] != ',') {
                return Answer.failed(Status.DOC_NOTJSON);
            }
            at = JsonSkip.blanks(document, at + 1, end);
        }
    }

    private Answer insert() {
        int last = path.size() - 1;
        if (last < 0 || !path.isIndex(last) || path.index(last) == Path.LAST) {
            return Answer.failed(Status.PATH_EINVAL);
        }
        Locator.Place place = locate();
        if (place == Locator.Place.FOUND) {
            return edit(locator.entry(), locator.entry(), join("", value, ","));
        }
        if (place == Locator.Place.MISSING && locator.matched() == last && locator.count() == path.index(last)) {
            return locator.count() == 0
                    ? edit(locator.container() + 1, locator.close(), value)
                    : edit(locator.close(), locator.close(), join(",", value, ""));
        }
        return found(place, Answer.done());
    }

    private Answer counter() {
        if (path.size() == 0) {
            return Answer.failed(Status.VALUE_CANTINSERT);
        }
        Locator.Place place = locate();
        if (place == Locator.Place.MISSING) {
            return newCounter();
        }
        if (place != Locator.Place.FOUND) {
            return found(place, Answer.done());
        }
        int stop = stop();
        if (stop < 0) {
            return broken(stop);
        }
        Values.Number number = Values.Number.parse(document, locator.start(), stop);
        return switch (number.kind()) {
            case NO_INTEGER -> Answer.failed(Status.PATH_MISMATCH);
            case TOO_LARGE -> Answer.failed(Status.NUM_ERANGE);
            case INTEGER -> {
                long delta = Values.delta(value);
                long sum = number.value() + delta;
                if (((number.value() ^ sum) & (delta ^ sum)) < 0) {
                    yield Answer.failed(Status.VALUE_CANTINSERT);
                }
                Answer answer = Answer.number(sum);
                yield answer.with(new Edit(document, locator.start(), stop, answer.value()));
            }
        };
    }

    private Answer newCounter() {
        if (path.isIndex(locator.matched())) {
            return Answer.failed(Status.PATH_ENOENT);
        }
        if (path.isIndex(path.size() - 1)) {
            return Answer.failed(Status.PATH_EINVAL);
        }
        Answer added = addMissing(value);
        Edit edit = added.edit();
        return edit == null ? added : Answer.number(Values.delta(value)).with(edit);
    }

    /** Adds the first missing key at the end of its object, and with MKDIR_P the objects below it. */
    private Answer addMissing(byte[] entryValue) {
        int first = locator.matched();
        if (first < path.size() - 1 && !mkdirP) {
            return Answer.failed(Status.PATH_ENOENT);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(entryValue.length + 32);
        if (locator.count() > 0) {
            text.write(',');
        }
        for (int component = first; component < path.size(); component++) {
            if (path.isIndex(component)) {
                return Answer.failed(Status.PATH_ENOENT);
            }
            byte[] key = path.key(component);
            if (!writable(key)) {
                return Answer.failed(Status.PATH_EINVAL);
            }
            if (component > first) {
                text.write('{');
            }
            text.write('"');
            text.writeBytes(key);
            text.write('"');
            text.write(':');
        }
        text.writeBytes(entryValue);
        for (int component = first + 1; component < path.size(); component++) {
            text.write('}');
        }
        return edit(locator.close(), locator.close(), text.toByteArray());
    }

    /** Some keys can be looked for, but would not be JSON if they were written. */
    private static boolean writable(byte[] key) {
        for (byte c : key) {
            if (c >= 0 && c < ' ') {
                return false;
            }
        }
        return Utf8.valid(key, 0, key.length);
    }

    private Answer edit(int from, int to, byte[] insertion) {
        return Answer.edited(new Edit(document, from, to, insertion));
    }

    private static byte[] join(String before, byte[] middle, String after) {
        byte[] joined = new byte[before.length() + middle.length + after.length()];
        for (int i = 0; i < before.length(); i++) {
            joined[i] = (byte) before.charAt(i);
        }
        System.arraycopy(middle, 0, joined, before.length(), middle.length);
        for (int i = 0; i < after.length(); i++) {
            joined[before.length() + middle.length + i] = (byte) after.charAt(i);
        }
        return joined;
    }
}
