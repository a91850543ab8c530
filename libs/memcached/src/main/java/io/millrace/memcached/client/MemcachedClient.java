package io.millrace.memcached.client;

import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.sasl.ScramClient;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A connection. Not thread-safe, but one thread may send while another receives. */
public final class MemcachedClient implements AutoCloseable {

    private static final int HEAD_BYTES = 24;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int FLEXIBLE_RESPONSE = 0x18;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private int opaque;

    /** @param timeout how long to wait for bytes before an {@link IOException} */
    public MemcachedClient(String host, int port, Duration timeout) throws IOException {
        this(new Socket(host, port), timeout);
    }

    /**
     * @param from the address of this machine that the server sees
     * @param timeout how long to wait for bytes before an {@link IOException}
     */
    public MemcachedClient(String host, int port, InetAddress from, Duration timeout) throws IOException {
        this(new Socket(host, port, from, 0), timeout);
    }

    private MemcachedClient(Socket connected, Duration timeout) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) timeout.toMillis());
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
    }

    /** Sends one request and returns the next response. */
    public Answer call(Call call) throws IOException {
        send(call);
        flush();
        return receive();
    }

    /** Adds a request to the send buffer and returns its opaque. */
    public int send(Call call) throws IOException {
        int number = ++opaque;
        out.write(call.frame(number));
        return number;
    }

    /** Sends bytes unchanged. */
    public void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    public void flush() throws IOException {
        out.flush();
    }

    /** Waits for the next response; throws {@link java.io.EOFException} if the server has closed the connection. */
    public Answer receive() throws IOException {
        byte[] head = new byte[HEAD_BYTES];
        in.readFully(head);
        boolean flexible = head[0] == FLEXIBLE_RESPONSE;
        int frameExtras = flexible ? head[2] & 0xff : 0;
        int key = flexible ? head[3] & 0xff : int16(head, 2);
        int extras = head[4] & 0xff;
        int body = int32(head, 8);
        in.skipNBytes(frameExtras);
        return new Answer(
                head[1] & 0xff,
                int16(head, 6),
                head[5] & 0xff,
                int32(head, 12),
                (long) int32(head, 16) << 32 | int32(head, 20) & 0xffffffffL,
                in.readNBytes(extras),
                in.readNBytes(key),
                in.readNBytes(body - frameExtras - extras - key));
    }

    private static int int16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static int int32(byte[] bytes, int at) {
        return int16(bytes, at) << 16 | int16(bytes, at + 2);
    }

    /** Requests features and returns those that the server grants. */
    public List<Feature> hello(Feature... features) throws IOException {
        Answer answer = call(Call.of(Opcode.HELLO, "millrace").withValue(Feature.encode(List.of(features))));
        return Feature.decode(answer.value());
    }

    /** Logs in and returns the status; throws {@link IOException} if the server does not prove that it knows the password. */
    public Status authenticate(ScramMechanism mechanism, String user, String password) throws IOException {
        ScramClient scram =
                new ScramClient(mechanism, user, password, UUID.randomUUID().toString());
        Answer challenge = call(Call.of(Opcode.SASL_AUTH, mechanism.label()).withValue(scram.start()));
        if (challenge.code() != Status.AUTH_CONTINUE.code()) {
            return status(challenge);
        }
        Answer end = call(Call.of(Opcode.SASL_STEP, mechanism.label()).withValue(scram.answer(challenge.value())));
        if (end.code() == Status.SUCCESS.code() && !scram.accepts(end.value())) {
            throw new IOException("The server did not prove that it knows the password");
        }
        return status(end);
    }

    /** Selects a bucket and returns the status. */
    public Status selectBucket(String name) throws IOException {
        return status(call(Call.of(Opcode.SELECT_BUCKET).withKey(name.getBytes(StandardCharsets.UTF_8))));
    }

    private static Status status(Answer answer) throws IOException {
        Status status = answer.status();
        if (status == null) {
            throw new IOException("Unknown status 0x%x".formatted(answer.code()));
        }
        return status;
    }

    /** Ends the sending direction; responses can still be received. */
    public void endSending() throws IOException {
        out.flush();
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A response as received. */
    public record Answer(
            int opcode, int code, int datatype, int opaque, long cas, byte[] extras, byte[] key, byte[] value) {

        /** Returns the status, or null if it is unknown. */
        public @Nullable Status status() {
            return Status.of(code);
        }

        public String text() {
            return new String(value, StandardCharsets.UTF_8);
        }
    }
}
