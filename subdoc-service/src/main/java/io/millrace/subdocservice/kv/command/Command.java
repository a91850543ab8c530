package io.millrace.subdocservice.kv.command;

import io.millrace.access.Permission;
import io.millrace.documents.VBuckets;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Feature;
import io.millrace.memcached.FrameExtras;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command: what an opcode does, and the form that its requests must have.
 *
 * @param access what the client must have done before
 * @param needs what the roles of the user must grant on the bucket or on the collection of the document
 * @param extras the allowed lengths of the extras
 * @param key whether a request has a key
 * @param value whether a request has a value
 * @param mutation whether it changes a document, so that a request may ask for durability
 * @param action what it does; called on the thread of the connection, which it must not block
 */
record Command(
        Access access, Set<Permission> needs, int[] extras, Part key, Part value, boolean mutation, Action action) {

    /** A command in a bucket that declares no need cannot exist, so that none can be forgotten. */
    Command {
        if ((access == Access.BUCKET) == needs.isEmpty()) {
            throw new IllegalArgumentException("A command in a bucket, and no other, declares what it needs");
        }
    }

    /** What a client must have done before a command. */
    enum Access {
        NO_LOGIN,
        LOGGED_IN,
        BUCKET
    }

    /** Whether a request has a part. */
    enum Part {
        NONE,
        SOME,
        ANY;

        boolean fits(int length) {
            return switch (this) {
                case NONE -> length == 0;
                case SOME -> length > 0;
                case ANY -> true;
            };
        }
    }

    /** Handles a request. May throw {@link CommandException} and {@link io.millrace.documents.DocumentsException}. */
    interface Action {
        CompletableFuture<Response> answer(Session session, Request request);
    }

    /** An action that has its response at once. */
    interface Immediate {
        Response answer(Session session, Request request);
    }

    private static final int[] NO_EXTRAS = {0};

    /** A command that needs no login. */
    static Command open(Part key, Part value, Immediate action) {
        return new Command(Access.NO_LOGIN, Set.of(), NO_EXTRAS, key, value, false, at(action));
    }

    /** A command on a document of the selected bucket. */
    static Command reading(Action action) {
        return new Command(Access.BUCKET, Set.of(Permission.DATA_READ), NO_EXTRAS, Part.SOME, Part.NONE, false, action);
    }

    /** A command that changes a document of the selected bucket. */
    static Command writing(Action action) {
        return new Command(Access.BUCKET, Set.of(Permission.DATA_WRITE), NO_EXTRAS, Part.SOME, Part.NONE, true, action);
    }

    static Action at(Immediate action) {
        return (session, request) -> CompletableFuture.completedFuture(action.answer(session, request));
    }

    /** The same for every user who has logged in. */
    Command forUsers() {
        return new Command(Access.LOGGED_IN, Set.of(), extras, key, value, mutation, action);
    }

    /** The same for users whose roles grant permissions. */
    Command needing(Permission... permissions) {
        return new Command(Access.BUCKET, Set.of(permissions), extras, key, value, mutation, action);
    }

    Command extras(int... lengths) {
        return new Command(access, needs, lengths, key, value, mutation, action);
    }

    Command key(Part part) {
        return new Command(access, needs, extras, part, value, mutation, action);
    }

    Command value(Part part) {
        return new Command(access, needs, extras, key, part, mutation, action);
    }

    /** Handles a request; throws if the request is not allowed or not valid. */
    CompletableFuture<Response> begin(Session session, Request request, Rights rights) {
        check(session, request);
        rights.check(this, session, request);
        return action.answer(session, request);
    }

    private void check(Session session, Request request) {
        FrameExtras frame = request.frameExtras();
        if (frame.problem() != Status.SUCCESS) {
            throw CommandException.of(frame.problem(), "The frame extras are not valid");
        }
        if (request.head().flexible() && access != Access.NO_LOGIN && !session.has(Feature.ALT_REQUEST)) {
            throw CommandException.of(Status.EINVAL, "Flexible framing was not negotiated by HELLO");
        }
        int length = request.extrasLength();
        if (Arrays.stream(extras).noneMatch(allowed -> allowed == length)) {
            throw CommandException.of(Status.EINVAL, "The length of the extras is not valid for this command");
        }
        if (!key.fits(request.keyLength())) {
            throw CommandException.of(
                    Status.EINVAL, key == Part.NONE ? "This command takes no key" : "This command needs a key");
        }
        if (!value.fits(request.valueLength())) {
            throw CommandException.of(
                    Status.EINVAL, value == Part.NONE ? "This command takes no value" : "This command needs a value");
        }
        boolean json = mutation || key == Part.NONE && value == Part.SOME;
        int datatypes = json && session.has(Feature.JSON) ? Datatypes.JSON : Datatypes.RAW;
        if ((request.head().datatype() & ~datatypes) != 0) {
            throw CommandException.of(Status.EINVAL, "The datatype was not negotiated by HELLO");
        }
        checkDurability(session, frame.durability());
        if (access != Access.NO_LOGIN && session.user() == null) {
            throw CommandException.of(Status.EACCESS, "Authenticate before this command");
        }
        if (access == Access.BUCKET) {
            session.bucket();
            if (request.head().vbucket() >= VBuckets.COUNT) {
                throw CommandException.of(Status.NOT_MY_VBUCKET);
            }
        }
    }

    private void checkDurability(Session session, @Nullable Durability durability) {
        if (durability == null) {
            return;
        }
        if (!mutation) {
            throw CommandException.of(Status.EINVAL, "Only a mutation can be durable");
        }
        if (!session.has(Feature.SYNC_REPLICATION)) {
            throw CommandException.of(Status.NOT_SUPPORTED, "Durability was not negotiated by HELLO");
        }
        if (durability.level() < Durability.MAJORITY || durability.level() > Durability.PERSIST_TO_MAJORITY) {
            throw CommandException.of(Status.DURABILITY_INVALID_LEVEL, "The durability level does not exist");
        }
    }
}
