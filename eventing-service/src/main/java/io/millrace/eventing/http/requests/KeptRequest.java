package io.millrace.eventing.http.requests;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What is kept of a request with an {@code Idempotency-Key}.
 *
 * @param fingerprint stands for the method, the path, the query and the body
 * @param begun when the function was called
 */
record KeptRequest(byte[] fingerprint, Instant begun, Ending ending) {

    private static final int FORMAT = 1;

    /** How the request has ended. */
    sealed interface Ending {

        /**
         * It has not, as far as is known.
         *
         * @param claim which request has claimed the key
         */
        record Open(UUID claim) implements Ending {}

        record Ended(RequestResult result) implements Ending {}

        /** It was answered with a body that is too large to be kept. */
        record NotKept(int status) implements Ending {}
    }

    private enum Kind {
        OPEN,
        WORKER_ENDED,
        FAILED,
        RESPONSE,
        NOT_KEPT
    }

    KeptRequest ended(Ending how) {
        return new KeptRequest(fingerprint, begun, how);
    }

    byte[] encoded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeByte(fingerprint.length);
            out.write(fingerprint);
            out.writeLong(begun.toEpochMilli());
            switch (ending) {
                case Ending.Open(UUID claim) -> {
                    out.writeByte(Kind.OPEN.ordinal());
                    out.writeLong(claim.getMostSignificantBits());
                    out.writeLong(claim.getLeastSignificantBits());
                }
                case Ending.NotKept(int status) -> {
                    out.writeByte(Kind.NOT_KEPT.ordinal());
                    out.writeInt(status);
                }
                case Ending.Ended(RequestResult.Answered(Outcome outcome, HttpResponse response)) ->
                    write(out, outcome, response);
                case Ending.Ended ended -> out.writeByte(Kind.WORKER_ENDED.ordinal());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Outcome outcome, HttpResponse response) throws IOException {
        if (outcome.result() != Outcome.Result.SUCCESS) {
            out.writeByte(Kind.FAILED.ordinal());
            out.writeUTF(outcome.result().name());
            out.writeUTF(outcome.message()
                    .substring(0, Math.min(outcome.message().length(), RequestLimits.MAX_KEPT_MESSAGE_CHARS)));
            out.writeInt(outcome.line());
            out.writeInt(outcome.column());
            return;
        }
        out.writeByte(Kind.RESPONSE.ordinal());
        out.writeInt(response.status());
        out.writeInt(response.headers().size());
        for (HttpResponse.Header header : response.headers()) {
            out.writeUTF(header.name());
            out.writeUTF(header.value());
        }
        out.writeUTF(response.body().kind().name());
        out.writeInt(response.body().bytes().length);
        out.write(response.body().bytes());
    }

    static KeptRequest decode(byte[] record) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalStateException(
                        "An answer is kept in format %d, which a newer version of the service wrote."
                                .formatted(format));
            }
            byte[] fingerprint = in.readNBytes(in.readUnsignedByte());
            Instant begun = Instant.ofEpochMilli(in.readLong());
            Ending ending = switch (Kind.values()[in.readByte()]) {
                case OPEN -> new Ending.Open(claim(in));
                case WORKER_ENDED -> new Ending.Ended(new RequestResult.WorkerEnded());
                case NOT_KEPT -> new Ending.NotKept(in.readInt());
                case FAILED -> new Ending.Ended(new RequestResult.Answered(outcome(in), HttpResponse.NONE));
                case RESPONSE -> new Ending.Ended(new RequestResult.Answered(Outcome.success(0), response(in)));
            };
            return new KeptRequest(fingerprint, begun, ending);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Earlier versions wrote none. */
    private static UUID claim(DataInputStream in) throws IOException {
        return in.available() == 0 ? new UUID(0, 0) : new UUID(in.readLong(), in.readLong());
    }

    private static Outcome outcome(DataInputStream in) throws IOException {
        return new Outcome(Outcome.Result.valueOf(in.readUTF()), 0, in.readUTF(), in.readInt(), in.readInt());
    }

    private static HttpResponse response(DataInputStream in) throws IOException {
        int status = in.readInt();
        List<HttpResponse.Header> headers = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            headers.add(new HttpResponse.Header(in.readUTF(), in.readUTF()));
        }
        HttpBody.Kind kind = HttpBody.Kind.valueOf(in.readUTF());
        return new HttpResponse(status, headers, new HttpBody(kind, in.readNBytes(in.readInt())));
    }
}
