package io.millrace.streams.redis;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.redis.ExtensionFunctions;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.streams.codec.EventJson;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Streams as documents of one keyspace on Redis: the document of a stream holds its unfolds, a list holds its events,
 * and every sync is a change in the keyspace's change feed. The reasons are in this module's RATIONALE.
 *
 * <p>A bucket may have several keyspaces of streams; such a keyspace should hold streams only.
 */
public final class RedisStreamStore implements StreamStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        SYNC,
        TIP,
        READ,
        PRUNE
    }

    private static final byte[] ANY_VERSION = bytes("-1");
    private static final byte[] ETAG_ONLY = bytes("-2");
    private static final byte[] NO_ETAG = {};
    private static final byte[] FORWARD = bytes("F");
    private static final byte[] BACKWARD = bytes("B");

    private final ExtensionFunctions<Operation> functions;
    private final Keyspace keyspace;

    public RedisStreamStore(RedisDocumentStore documents, Keyspace keyspace) {
        this.functions = documents.extend(Operation.class, "log");
        this.keyspace = keyspace;
    }

    private DocumentKey key(StreamName stream) {
        return new DocumentKey(keyspace, stream.toString());
    }

    @Override
    public CompletableFuture<TipResult> tip(StreamName stream, long knownEtag) {
        return functions
                .call(Operation.TIP, key(stream), List.of(bytes(knownEtag)))
                .thenApply(answer -> switch (letter(answer)) {
                    case 'M' -> new TipResult.NotModified();
                    case 'N' -> new TipResult.NotFound();
                    case 'F' -> new TipResult.Found(found(answer));
                    default -> throw StreamsException.notAStream(stream);
                });
    }

    private static Tip found(List<byte[]> answer) {
        long index = number(answer, 2);
        return new Tip(
                number(answer, 1),
                index,
                number(answer, 3),
                number(answer, 4),
                events(answer, 6, index),
                EventJson.unfolds(answer.get(5), number(answer, 1)));
    }

    @Override
    public CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request) {
        List<byte[]> args;
        try {
            args = args(request);
        } catch (StreamsException e) {
            return CompletableFuture.failedFuture(e);
        }
        return functions.call(Operation.SYNC, key(stream), args).thenApply(answer -> switch (letter(answer)) {
            case 'W' -> new SyncResult.Written(number(answer, 1), number(answer, 2), false);
            case 'A' -> new SyncResult.Written(number(answer, 1), number(answer, 2), true);
            case 'C' -> conflict(answer, request.expected());
            default -> throw StreamsException.notAStream(stream);
        });
    }

    private static List<byte[]> args(SyncRequest request) {
        List<byte[]> args = new ArrayList<>(6 + request.events().size());
        args.add(request.transaction().bytes());
        switch (request.expected()) {
            case Expected.Any any -> {
                args.add(ANY_VERSION);
                args.add(NO_ETAG);
            }
            case Expected.Version(long version) -> {
                args.add(bytes(version));
                args.add(NO_ETAG);
            }
            case Expected.Etag(long etag) -> {
                args.add(ETAG_ONLY);
                args.add(bytes(etag));
            }
        }
        args.add(bytes(request.maxEventsInTip()));
        args.add(bytes(request.maxTipBytes()));
        args.add(EventJson.checkedUnfolds(request.unfolds()));
        for (EncodedEvent event : request.events()) {
            args.add(EventJson.checkedEvent(event));
        }
        return args;
    }

    private static SyncResult conflict(List<byte[]> answer, Expected expected) {
        long tipIndex = number(answer, 2);
        long from = expected instanceof Expected.Version(long version) ? Math.max(version, tipIndex) : tipIndex;
        return new SyncResult.Conflict(
                number(answer, 1),
                number(answer, 3),
                tipIndex,
                events(answer, 5, from),
                EventJson.unfolds(answer.get(4), number(answer, 1)));
    }

    @Override
    public CompletableFuture<Page> read(StreamName stream, PageRequest request) {
        byte[] direction = request.direction() == PageRequest.Direction.FORWARD ? FORWARD : BACKWARD;
        List<byte[]> args = List.of(direction, bytes(request.from()), bytes(request.to()), bytes(request.batches()));
        return functions.call(Operation.READ, key(stream), args).thenApply(answer -> switch (letter(answer)) {
            case 'N' -> new Page(0, 0, 0, 0, List.of());
            case 'P' -> {
                long start = number(answer, 5);
                yield new Page(
                        number(answer, 1), number(answer, 3), number(answer, 4), start, events(answer, 6, start));
            }
            default -> throw StreamsException.notAStream(stream);
        });
    }

    @Override
    public CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
        List<byte[]> args = List.of(bytes(Math.min(untilIndex, PageRequest.END)));
        return functions.call(Operation.PRUNE, key(stream), args).thenApply(answer -> switch (letter(answer)) {
            case 'N' -> new PruneResult(0, 0, 0);
            case 'P' -> new PruneResult(number(answer, 1), number(answer, 2), number(answer, 3));
            default -> throw StreamsException.notAStream(stream);
        });
    }

    private static List<TimelineEvent> events(List<byte[]> answer, int first, long index) {
        List<TimelineEvent> events = new ArrayList<>(Math.max(0, answer.size() - first));
        for (int k = first; k < answer.size(); k++) {
            events.add(event(answer.get(k), index + k - first));
        }
        return events;
    }

    /** Decodes an element of the list: a mark, the seqno, and the event as a JSON object. */
    private static TimelineEvent event(byte[] element, long index) {
        long seqno = 0;
        int at = 1;
        while (at < element.length && element[at] != '{') {
            seqno = seqno * 10 + (element[at++] - '0');
        }
        return EventJson.event(Arrays.copyOfRange(element, at, element.length), index, seqno);
    }

    private static char letter(List<byte[]> answer) {
        return (char) answer.getFirst()[0];
    }

    private static long number(List<byte[]> answer, int place) {
        return Long.parseLong(new String(answer.get(place), StandardCharsets.US_ASCII));
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
