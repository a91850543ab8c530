package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.NONE;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.access.Permission;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.memcached.Leb128;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.Command.Access;
import io.millrace.subdocservice.kv.scan.RangeScan;
import io.millrace.subdocservice.kv.scan.RangeScans;
import io.millrace.subdocservice.kv.scan.RangeScans.Begun;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Scans of ranges of ids, vbucket by vbucket: begin, continue, cancel. */
final class RangeScanCommands {

    private static final int UUID_BYTES = 16;
    private static final int CONTINUE_EXTRAS = UUID_BYTES + 12;
    private static final int META_BYTES = 25;
    private static final byte[] KEYS = {0, 0, 0, 0};
    private static final byte[] DOCUMENTS = {0, 0, 0, 1};

    private final RangeScans scans;
    private final Rights rights;
    private final InstantSource clock;

    RangeScanCommands(RangeScans scans, Rights rights, InstantSource clock) {
        this.scans = scans;
        this.rights = rights;
        this.clock = clock;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.RANGE_SCAN_CREATE,
                new Command(
                        Access.BUCKET,
                        Set.of(Permission.BUCKET_ACCESS),
                        new int[] {0},
                        NONE,
                        SOME,
                        false,
                        this::create),
                Opcode.RANGE_SCAN_CONTINUE,
                new Command(
                        Access.BUCKET,
                        Set.of(Permission.BUCKET_ACCESS),
                        new int[] {CONTINUE_EXTRAS},
                        NONE,
                        NONE,
                        false,
                        this::proceed),
                Opcode.RANGE_SCAN_CANCEL,
                new Command(
                        Access.BUCKET,
                        Set.of(Permission.BUCKET_ACCESS),
                        new int[] {UUID_BYTES},
                        NONE,
                        NONE,
                        false,
                        this::cancel));
    }

    private CompletableFuture<Response> create(Session session, Request request) {
        BucketInfo bucket = session.bucket();
        RangeScanRequest read = RangeScanRequest.read(request.value(), bucket);
        rights.checkReading(session, read.wanted().keyspace());
        int vbucket = request.head().vbucket();
        if (read.vbucketUuid() != null && read.vbucketUuid() != bucket.vbucketUuid(vbucket)) {
            throw CommandException.of(Status.VBUCKET_UUID_NOT_EQUAL);
        }
        return scans.begin(String.valueOf(session.user()), bucket, vbucket, read.wanted())
                .thenApply(begun -> switch (begun) {
                    case Begun.Scan(RangeScan scan) ->
                        Response.of(Status.SUCCESS)
                                .withValue(ByteBuffer.allocate(UUID_BYTES)
                                        .putLong(scan.id().getMostSignificantBits())
                                        .putLong(scan.id().getLeastSignificantBits())
                                        .array());
                    case Begun.Empty() -> Response.of(Status.KEY_ENOENT);
                    case Begun.TooMany() ->
                        Response.error(
                                Status.EBUSY, "Too many range scans are open; finish or cancel some, or try later");
                    case Begun.TooLarge() ->
                        Response.error(Status.E2BIG, "The range has too many documents; scan smaller ranges, or query");
                });
    }

    private CompletableFuture<Response> proceed(Session session, Request request) {
        RangeScan scan = scan(session, request);
        if (!scan.reserve()) {
            throw CommandException.of(Status.EBUSY, "Another request continues this scan");
        }
        int items = limit(request.extra32(UUID_BYTES), CommandLimits.MAX_SCAN_ITEMS);
        int millis = limit(request.extra32(UUID_BYTES + 4), CommandLimits.MAX_SCAN_MILLIS);
        int bytes = limit(request.extra32(UUID_BYTES + 8), CommandLimits.MAX_SCAN_BYTES);
        CompletableFuture<byte[]> value = scan.keysOnly()
                ? CompletableFuture.completedFuture(keys(scan.keys(items)))
                : scan.documents(items, bytes, clock.millis() + millis).thenApply(RangeScanCommands::documents);
        return value.thenApply(found -> answer(scan, found)).whenComplete((answer, failure) -> scan.release());
    }

    private Response answer(RangeScan scan, byte[] value) {
        boolean complete = scan.complete();
        if (complete) {
            scans.end(scan.id());
        }
        return Response.of(complete ? Status.RANGE_SCAN_COMPLETE : Status.RANGE_SCAN_MORE)
                .withExtras(scan.keysOnly() ? KEYS : DOCUMENTS)
                .withValue(value);
    }

    /** Zero means that there is no limit, which here means the limit of the server: the client asks again. */
    private static int limit(int asked, int most) {
        return asked <= 0 ? most : Math.min(asked, most);
    }

    private CompletableFuture<Response> cancel(Session session, Request request) {
        scans.end(scan(session, request).id());
        return CompletableFuture.completedFuture(Response.of(Status.SUCCESS));
    }

    private RangeScan scan(Session session, Request request) {
        RangeScan scan = scans.find(new UUID(request.extra64(0), request.extra64(8)))
                .filter(known ->
                        known.keyspace().bucket().equals(session.bucket().name()))
                .orElseThrow(
                        () -> CommandException.of(Status.KEY_ENOENT, "The scan is complete, cancelled or too old"));
        rights.checkReading(session, scan.keyspace());
        if (!session.bucket().has(scan.keyspace())) {
            throw CommandException.with(CollectionIds.unknown(session.bucket()));
        }
        return scan;
    }

    private static byte[] keys(List<String> ids) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ids.forEach(id -> sized(out, id.getBytes(StandardCharsets.UTF_8)));
        return out.toByteArray();
    }

    private static byte[] documents(List<Document> documents) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Document document : documents) {
            out.writeBytes(ByteBuffer.allocate(META_BYTES)
                    .putInt(document.flags())
                    .putInt(Expiries.seconds(document.expiry()))
                    .putLong(document.seqno())
                    .putLong(document.cas())
                    .put((byte) (document.datatype() == Datatype.JSON ? 1 : 0))
                    .array());
            sized(out, document.key().id().getBytes(StandardCharsets.UTF_8));
            sized(out, document.body());
        }
        return out.toByteArray();
    }

    private static void sized(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes(Leb128.encode(bytes.length));
        out.writeBytes(bytes);
    }
}
