package io.millrace.couch.feed;

import io.millrace.couch.CouchLimits;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.CouchDocument;
import io.millrace.couch.document.Leaf;
import io.millrace.couch.document.RawObject;
import io.millrace.couch.document.Rendering;
import io.millrace.couch.document.Sequence;
import io.millrace.couch.document.StoreCalls;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.ReadRoom;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The response to one changes request. A chunk is produced when the client asks for it, so a slow client needs no
 * memory.
 */
final class Changes implements CouchResponse.Chunks {

    private static final byte[] NOTHING = {};
    /** A chunk is sent when it has this length. */
    private static final int CHUNK_BYTES = 64 * 1024;

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final CouchDatabase database;
    private final ChangesRequest request;
    private final Filter filter;
    private final RowFormat format;
    private final ChangeWaiter waiter;
    private final ReadRoom room;
    private final long start;
    private final boolean bodies;

    private long position;
    private long lastSeq;
    private long left;
    private long rows;
    private @Nullable Instant newerThan;
    private byte @Nullable [] first;

    /** The page whose rows are being taken. */
    private @Nullable ChangedRows current;

    /** The page whose last row the client may still be taking. */
    private @Nullable ChangedRows passed;

    private boolean closed;

    private boolean begun;
    private boolean lookedUp;
    private boolean ended;
    private long lastOutput = System.nanoTime();
    private long lastRow = lastOutput;

    Changes(CouchDatabase database, ChangesRequest request, Filter filter, ChangeWaiter waiter, ReadRoom room) {
        this.room = room;
        this.database = database;
        this.request = request;
        this.filter = filter;
        this.waiter = waiter;
        this.format = RowFormat.of(request);
        this.bodies = request.includeDocs() || filter.readsBodies();
        this.left = request.limit();
        this.start = start();
        this.position = request.descending() ? ChangePage.Request.END : start;
        this.lastSeq = request.descending() ? high() : start;
    }

    private long start() {
        String since = request.since();
        if (since.equals("now")) {
            return high();
        }
        if (!Sequence.isTime(since)) {
            return Sequence.parse(since);
        }
        newerThan = Sequence.time(since);
        return 0;
    }

    private long high() {
        return StoreCalls.of(database.changes().high());
    }

    /** Produces the first chunk, so that an early failure is answered with its own status. */
    void begin() {
        begun = true;
        byte[] head = format.head();
        byte[] rest = step();
        byte[] both = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, both, head.length, rest.length);
        first = both;
    }

    @Override
    public byte @Nullable [] next() {
        byte[] made = first;
        if (made != null) {
            first = null;
            return made;
        }
        if (ended) {
            return null;
        }
        if (!begun) {
            begun = true;
            byte[] head = format.head();
            if (head.length > 0) {
                return head;
            }
        }
        try {
            return step();
        } catch (DocumentsException e) {
            if (e.code() != DocumentsException.Code.BUCKET_NOT_FOUND) {
                throw e;
            }
            ended = true;
            return format.tail(lastSeq, 0);
        }
    }

    private byte[] step() {
        release();
        while (left > 0) {
            ChangedRows page = current == null ? open() : current;
            long before = lastSeq;
            byte[] text = take(page);
            if (text.length > 0 && !database.isCurrent()) {
                ended = true; // the rows may be of documents of another database, with revisions of this one
                return format.tail(before, 0);
            }
            if (!page.hasNext() || left == 0) {
                pass(page);
            }
            if (text.length > 0) {
                lastOutput = System.nanoTime();
                lastRow = lastOutput;
                return text;
            }
            if (page.more()) {
                if (beatIsDue()) {
                    return beat();
                }
                continue;
            }
            if (!waits()) {
                break;
            }
            byte[] waited = waitForMore();
            if (waited != NOTHING) {
                return waited;
            }
            if (ended) {
                break;
            }
        }
        ended = true;
        return format.tail(lastSeq, pending());
    }

    private ChangedRows open() {
        long high = request.descending() ? 0 : high();
        ChangedRows opened = new ChangedRows(database, page(), high, bodies, newerThan, room);
        follow(opened);
        return opened;
    }

    /** All rows of a page have been made. */
    private void pass(ChangedRows page) {
        position = page.position();
        if (!request.descending() && left > 0) {
            lastSeq = Math.max(lastSeq, page.reached());
        }
        follow(null);
    }

    /** Replaces the current page, perhaps while another thread closes this. */
    private synchronized void follow(@Nullable ChangedRows next) {
        release();
        passed = current;
        current = next;
        if (closed && next != null) {
            next.close();
        }
    }

    /** The client has taken the rows of pages before the current one. */
    private synchronized void release() {
        if (passed != null) {
            passed.close();
            passed = null;
        }
    }

    private boolean waits() {
        return switch (request.feed()) {
            case NORMAL -> false;
            case LONGPOLL -> rows == 0 && !request.descending();
            case CONTINUOUS, EVENTSOURCE -> !request.descending();
        };
    }

    private ChangePage page() {
        if (!lookedUp && "_doc_ids".equals(request.query().text("filter"))) {
            lookedUp = true;
            List<String> ids = request.docIds();
            if (ids.size() <= CouchLimits.MAX_LOOKUP_IDS) {
                return lookUp(ids);
            }
        }
        int max = (int) Math.min(CouchLimits.FEED_PAGE_ROWS, Math.max(left, 1));
        max = Math.min(filter == Filter.ALL ? max : CouchLimits.FEED_PAGE_ROWS, Limits.MAX_PAGE_MUTATIONS);
        return StoreCalls.of(
                database.changes().page(new ChangePage.Request(position, request.descending(), max, false)));
    }

    private ChangePage lookUp(List<String> ids) {
        long high = high();
        List<Mutation> found = new ArrayList<>();
        for (String id : ids) {
            if (id.isEmpty()) {
                continue;
            }
            database.metadata(id)
                    .ifPresent(read -> StoreCalls.of(database.changes().place(read))
                            .ifPresent(place -> {
                                if (place <= high && (request.descending() || place > start)) {
                                    found.add(new Mutation(place, read));
                                }
                            }));
        }
        Comparator<Mutation> order = Comparator.comparingLong(Mutation::seqno);
        found.sort(request.descending() ? order.reversed() : order);
        return new ChangePage(found, request.descending() ? 0 : Math.max(position, high), false);
    }

    /** Returns the next rows that pass, as many as fit into a chunk. */
    private byte[] take(ChangedRows changed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (left > 0 && out.size() < CHUNK_BYTES) {
            ChangedRows.Row row = changed.next();
            if (row == null) {
                break;
            }
            CouchDocument document = row.document();
            document.winner().ifPresent(winner -> {
                List<Leaf> leaves = request.allLeaves() ? document.leaves() : List.of(winner);
                List<Leaf> passing = leaves.stream()
                        .filter(leaf -> filter.passes(document, leaf))
                        .toList();
                if (!passing.isEmpty()) {
                    rows++;
                    left--;
                    lastSeq = row.seqno();
                    boolean named = rows % request.seqInterval() == 0;
                    out.writeBytes(format.row(rows, row.seqno(), named, row(changed, row, named, winner, passing)));
                }
            });
        }
        return out.toByteArray();
    }

    private byte[] row(
            ChangedRows changed, ChangedRows.Row changedRow, boolean named, Leaf winner, List<Leaf> passing) {
        CouchDocument document = changedRow.document();
        RawObject row = RawObject.empty();
        if (named) {
            row.put("seq", Sequence.text(changedRow.seqno()));
        } else {
            row.put("seq", NULL);
        }
        row.put("id", document.id());
        StringBuilder revisions = new StringBuilder("[");
        for (Leaf leaf : passing) {
            revisions
                    .append(revisions.length() > 1 ? "," : "")
                    .append("{\"rev\":")
                    .append(new String(RawObject.quoted(leaf.rev()), StandardCharsets.UTF_8))
                    .append('}');
        }
        row.put("changes", revisions.append(']').toString().getBytes(StandardCharsets.UTF_8));
        if (winner.deleted()) {
            row.put("deleted", "true".getBytes(StandardCharsets.US_ASCII));
        }
        if (request.includeDocs()) {
            row.put("doc", text(document, winner, changed::count));
        }
        return row.bytes();
    }

    /** Returns the document of a row. */
    private byte[] text(CouchDocument document, Leaf winner, LongConsumer attached) {
        Rendering.Options options = new Rendering.Options(
                false,
                false,
                request.query().isTrue("conflicts"),
                false,
                false,
                request.query().isTrue("attachments"));
        Optional<RawObject> text = database.rendering().render(document, winner, options, attached);
        if (text.isEmpty()) {
            return NULL;
        }
        RawObject body = request.body();
        return body != null && "_selector".equals(request.query().text("filter"))
                ? SelectedFields.of(body).cut(text.get())
                : text.get().bytes();
    }

    private long pending() {
        try {
            if (request.descending()) {
                long all = StoreCalls.of(database.changes().backlog(0));
                return rows == 0
                        ? left == 0 ? all : 0
                        : all - StoreCalls.of(database.changes().backlog(lastSeq - 1));
            }
            if ("_design".equals(request.query().text("filter"))) {
                return Math.max(0, StoreCalls.of(database.changes().backlog(start)) - rows); // as CouchDB does
            }
            return left > 0 ? 0 : StoreCalls.of(database.changes().backlog(lastSeq));
        } catch (DocumentsException e) {
            return 0;
        }
    }

    private boolean beatIsDue() {
        return request.heartbeatMillis() > 0
                && System.nanoTime() - lastOutput >= TimeUnit.MILLISECONDS.toNanos(request.heartbeatMillis());
    }

    private byte[] beat() {
        lastOutput = System.nanoTime();
        return format.beat(lastSeq, request.seqHeartbeats());
    }

    /** Waits for changes; returns a heartbeat if one is due, and nothing if there may be changes or the time is up. */
    private byte[] waitForMore() {
        boolean beats = request.heartbeatMillis() > 0;
        long millis = beats
                ? request.heartbeatMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastOutput)
                : request.timeoutMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastRow);
        if (millis > 0) {
            switch (waiter.await(database, position, millis)) {
                case CHANGED -> {
                    return NOTHING;
                }
                case DATABASE_GONE -> {
                    ended = true;
                    return NOTHING;
                }
                case TIME_IS_UP -> {
                    // below
                }
            }
        }
        if (beats) {
            return beatIsDue() ? beat() : NOTHING;
        }
        ended = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastRow) >= request.timeoutMillis();
        return NOTHING;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            release();
            if (current != null) {
                current.close();
            }
        }
        filter.close();
    }
}
