package io.millrace.subdocservice.kv.command;

import io.millrace.audit.AuditEvent.Actor;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Leb128;
import io.millrace.memcached.Request;
import io.millrace.memcached.Status;
import io.millrace.memcached.sasl.ScramServer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a client: features, user, selected bucket. Used on the thread of the connection only, when a request starts;
 * later stages of a request use the values read then.
 */
public final class Session {

    /**
     * A login that was tried.
     *
     * @param method {@code scram}, {@code plain} or {@code certificate}
     */
    private record Claim(String user, String method) {}

    private static final String CERTIFICATE = "certificate";
    private static final Claim NONE = new Claim("anonymous", "none");

    private final boolean plain;
    private final String address;
    private final int port;
    private Claim claim = NONE;
    private byte @Nullable [] stamp;
    private boolean over;
    private String failure = "";
    private Set<Feature> features = EnumSet.noneOf(Feature.class);
    private @Nullable ScramServer login;
    private @Nullable String user;
    private @Nullable String bucketName;
    private @Nullable BucketInfo bucket;

    /**
     * @param plain whether the client may send passwords in plain text
     * @param address where the client is, without its port
     * @param port the port of the client
     */
    public Session(boolean plain, String address, int port) {
        this.plain = plain;
        this.address = address;
        this.port = port;
    }

    String address() {
        return address;
    }

    /** Returns address and port of the client. */
    String peer() {
        return address + ":" + port;
    }

    boolean plain() {
        return plain;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** Sets the features that HELLO granted; they replace those granted before. */
    void grant(List<Feature> granted) {
        features = granted.isEmpty() ? EnumSet.noneOf(Feature.class) : EnumSet.copyOf(granted);
    }

    @Nullable
    ScramServer login() {
        return login;
    }

    /** Stores a login between its messages; a new login removes the user of the last one. */
    void login(@Nullable ScramServer begun) {
        login = begun;
        user = null;
        bucketName = null;
        bucket = null;
    }

    void loggedIn(String name) {
        login = null;
        user = name;
    }

    /** Logs in the user whom the certificate of the client names. */
    public void certified(String name) {
        claim(name, CERTIFICATE, null);
        loggedIn(name);
    }

    /**
     * Notes who tries to log in, and how.
     *
     * @param stampNow what changes with the password of the user, as it is before the password is checked
     */
    void claim(String name, String method, byte @Nullable [] stampNow) {
        claim = new Claim(name, method);
        stamp = stampNow;
        failure = "";
    }

    /** Returns whether the login counts still: that with a password ends when the password changes. */
    boolean holds(byte @Nullable [] stampNow) {
        return claim.method().equals(CERTIFICATE) || Arrays.equals(stamp, stampNow);
    }

    /** Notes that the client has to connect again. */
    void finish() {
        over = true;
    }

    /** Returns whether the connection is to be closed after the response. */
    public boolean over() {
        return over;
    }

    /** Notes that the login failed, and why. */
    void loginFailed(String reason) {
        login(null);
        failure = reason;
    }

    /** Returns why the last login failed. */
    String failure() {
        return failure;
    }

    /** Returns who sends requests, for the audit trail. */
    Actor actor() {
        return user == null ? actor("anonymous", NONE) : actor("local", new Claim(user, claim.method()));
    }

    /** Returns who tried to log in, for the audit trail. */
    Actor claimant() {
        return actor("anonymous", claim);
    }

    private Actor actor(String domain, Claim who) {
        return new Actor(who.user(), domain, who.method(), peer());
    }

    @Nullable
    public String user() {
        return user;
    }

    /** Returns the name of the selected bucket, or null. */
    @Nullable
    String bucketName() {
        return bucketName;
    }

    void select(BucketInfo selected) {
        bucketName = selected.name();
        bucket = selected;
    }

    /** Sets the latest description of the selected bucket; null if the bucket was dropped. */
    public void refresh(@Nullable BucketInfo newest) {
        bucket = newest;
    }

    /** Returns the selected bucket as of the start of the request. */
    BucketInfo bucket() {
        if (bucket == null) {
            throw CommandException.of(Status.NO_BUCKET);
        }
        return bucket;
    }

    /** Returns the document of a request. */
    DocumentKey document(Request request) {
        return document(request.body(), request.keyOffset(), request.valueOffset());
    }

    /** Returns the collection of the document of a request. */
    Keyspace keyspace(Request request) {
        return keyspace(request.body(), request.keyOffset(), request.valueOffset());
    }

    private Keyspace keyspace(byte[] bytes, int from, int to) {
        BucketInfo in = bucket();
        if (!has(Feature.COLLECTIONS)) {
            return Keyspace.of(in.name());
        }
        if (Leb128.length(bytes, from, to) == Leb128.NONE) {
            throw CommandException.of(Status.EINVAL, "The key does not start with a collection id");
        }
        return CollectionIds.keyspace(in, Leb128.decode(bytes, from));
    }

    /** Returns the document of a key; the key starts with a collection id if collections were negotiated. */
    DocumentKey document(byte[] bytes, int from, int to) {
        Keyspace keyspace = keyspace(bytes, from, to);
        int length = has(Feature.COLLECTIONS) ? Leb128.length(bytes, from, to) : 0;
        return new DocumentKey(keyspace, id(bytes, from + length, to));
    }

    private static String id(byte[] bytes, int from, int to) {
        if (from == to || to - from > Limits.MAX_ID_BYTES) {
            throw CommandException.of(Status.EINVAL, "A key must have 1 to " + Limits.MAX_ID_BYTES + " bytes");
        }
        boolean ascii = true;
        for (int i = from; i < to && ascii; i++) {
            ascii = bytes[i] > 0;
        }
        if (ascii) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CommandException.of(Status.EINVAL, "A key must be valid UTF-8");
        }
    }

    /** Returns the datatype of JSON values for this client. */
    int json() {
        return has(Feature.JSON) ? Datatypes.JSON : Datatypes.RAW;
    }

    /** Returns the status for a document that another client has locked. */
    Status locked() {
        return has(Feature.XERROR) ? Status.LOCKED : Status.ETMPFAIL;
    }
}
