package io.millrace.subdocservice.kv.command;

import io.millrace.memcached.Request;
import io.millrace.memcached.Status;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.SubdocLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decodes sub-document requests and encodes their results. */
final class SubdocFrames {

    private static final int LOOKUP_SPEC_HEAD = 4;
    private static final int MUTATION_SPEC_HEAD = 8;
    private static final int LOOKUP_RESULT_HEAD = 6;
    private static final int VALUE_RESULT_HEAD = 7;
    private static final int FAILURE_BYTES = 3;
    private static final byte[] NOTHING = {};

    private SubdocFrames() {}

    /**
     * The options in the extras after the part of the path: 0, 1, 4, 5, 8 or 9 bytes.
     *
     * @param expiry as sent, 0 if absent
     */
    record Options(int expiry, boolean hasFlags, int flags, int docFlags) {

        /** @param at the end of the part of the path */
        static Options of(Request request, int at) {
            int length = request.extrasLength() - at;
            boolean hasFlags = length >= 8;
            return new Options(
                    length >= 4 ? request.extra32(at) : 0,
                    hasFlags,
                    hasFlags ? request.extra32(at + 4) : 0,
                    length % 4 == 1 ? request.extra8(at + length - 1) : 0);
        }
    }

    /** Returns the operation of a single request; the extras are the length of the path in two bytes and one byte of flags. */
    static Spec single(Operation operation, Request request) {
        int path = request.extra16(0);
        if (path > request.valueLength()) {
            throw CommandException.of(Status.EINVAL, "The path is longer than the body");
        }
        byte[] body = request.body();
        int from = request.valueOffset();
        return new Spec(
                operation,
                request.extra8(2),
                Arrays.copyOfRange(body, from, from + path),
                Arrays.copyOfRange(body, from + path, body.length));
    }

    /** Returns the operations of a multi request, at most one more than allowed. */
    static List<Spec> multi(Request request, boolean mutation) {
        ByteBuffer body = ByteBuffer.wrap(request.body());
        body.position(request.valueOffset());
        int head = mutation ? MUTATION_SPEC_HEAD : LOOKUP_SPEC_HEAD;
        List<Spec> specs = new ArrayList<>();
        while (body.hasRemaining() && specs.size() <= SubdocLimits.MAX_SPECS) {
            if (body.remaining() < head) {
                throw truncated();
            }
            Operation operation = Operation.of(body.get() & 0xff);
            int flags = body.get() & 0xff;
            int path = body.getShort() & 0xffff;
            long value = mutation ? Integer.toUnsignedLong(body.getInt()) : 0;
            if (operation == null) {
                throw CommandException.of(Status.SUBDOC_INVALID_COMBO, "The operation does not exist");
            }
            if (path + value > body.remaining()) {
                throw truncated();
            }
            specs.add(new Spec(operation, flags, bytes(body, path), bytes(body, (int) value)));
        }
        return specs;
    }

    private static CommandException truncated() {
        return CommandException.of(Status.EINVAL, "The last operation is longer than the body");
    }

    private static byte[] bytes(ByteBuffer body, int length) {
        if (length == 0) {
            return NOTHING;
        }
        byte[] bytes = new byte[length];
        body.get(bytes);
        return bytes;
    }

    /** Returns the result of a multi look-up: status, length and value of each operation, in order. */
    static byte[] lookups(List<PathResult> results) {
        ByteBuffer bytes = ByteBuffer.allocate(size(results, LOOKUP_RESULT_HEAD));
        for (PathResult result : results) {
            bytes.putShort((short) result.status().code());
            bytes.putInt(result.value().length).put(result.value());
        }
        return bytes.array();
    }

    /** Returns the values of a multi mutation, each with the index of its operation. */
    static byte[] values(List<PathResult> results) {
        ByteBuffer bytes = ByteBuffer.allocate(size(results, VALUE_RESULT_HEAD));
        for (PathResult result : results) {
            bytes.put((byte) result.index()).putShort((short) result.status().code());
            bytes.putInt(result.value().length).put(result.value());
        }
        return bytes.array();
    }

    private static int size(List<PathResult> results, int head) {
        int size = 0;
        for (PathResult result : results) {
            size = Math.addExact(size, head + result.value().length);
        }
        return size;
    }

    /** Returns the index and the status of the operation that failed. */
    static byte[] failure(PathResult failed) {
        return ByteBuffer.allocate(FAILURE_BYTES)
                .put((byte) failed.index())
                .putShort((short) failed.status().code())
                .array();
    }
}
