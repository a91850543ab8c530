package io.millrace.subdocservice.kv.command;

import io.millrace.documents.VBuckets;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Feature;
import io.millrace.memcached.FrameExtras;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an opcode does, and what a request for it has to look like.
 *
 * @param access what must have happened before
 * @param extras the lengths that its extras may have
 * @param key whether it has a key
 * @param value whether it has a value
 * @param mutation whether it changes a document, so that durability may be asked for
 * @param action what happens; called by the connection's own thread, which it does not block
 */
record Command(Access access, int[] extras, Part key, Part value, boolean mutation, Action action) {

    /** How far a client must have come. */
    enum Access {
        ANYBODY,
        LOGGED_IN,
        BUCKET
    }

    /** Whether a part of a request is there. */
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

    /** Answers a request. May throw {@link CommandException} and {@link io.millrace.documents.DocumentsException}. */
    interface Action {
        CompletableFuture<Response> answer(Session session, Request request);
    }

    /** An action that answers at once. */
    interface Immediate {
        Response answer(Session session, Request request);
    }

    private static final int[] NO_EXTRAS = {0};

    /** A command that anybody may give. */
    static Command open(Part key, Part value, Immediate action) {
        return new Command(Access.ANYBODY, NO_EXTRAS, key, value, false, at(action));
    }

    /** A command on a document of the selected bucket. */
    static Command reading(Action action) {
        return new Command(Access.BUCKET, NO_EXTRAS, Part.SOME, Part.NONE, false, action);
    }

    /** A command that changes a document of the selected bucket. */
    static Command writing(Action action) {
        return new Command(Access.BUCKET, NO_EXTRAS, Part.SOME, Part.NONE, true, action);
    }

    static Action at(Immediate action) {
        return (session, request) -> CompletableFuture.completedFuture(action.answer(session, request));
    }

    Command from(Access level) {
        return new Command(level, extras, key, value, mutation, action);
    }

    Command extras(int... lengths) {
        return new Command(access, lengths, key, value, mutation, action);
    }

    Command key(Part part) {
        return new Command(access, extras, part, value, mutation, action);
    }

    Command value(Part part) {
        return new Command(access, extras, key, part, mutation, action);
    }

    /** Answers a request, or throws why it is refused. */
    CompletableFuture<Response> begin(Session session, Request request) {
        check(session, request);
        return action.answer(session, request);
    }

    private void check(Session session, Request request) {
        FrameExtras frame = request.frameExtras();
        if (frame.problem() != Status.SUCCESS) {
            throw CommandException.of(frame.problem(), "The frame extras are not valid");
        }
        if (request.head().flexible() && access != Access.ANYBODY && !session.has(Feature.ALT_REQUEST)) {
            throw CommandException.of(Status.EINVAL, "Requests of this form have not been negotiated");
        }
        int length = request.extrasLength();
        if (Arrays.stream(extras).noneMatch(allowed -> allowed == length)) {
            throw CommandException.of(Status.EINVAL, "The extras have a wrong length");
        }
        if (!key.fits(request.keyLength())) {
            throw CommandException.of(Status.EINVAL, key == Part.NONE ? "There must be no key" : "There must be a key");
        }
        if (!value.fits(request.valueLength())) {
            throw CommandException.of(Status.EINVAL, value == Part.NONE ? "There must be no value" : "There must be a value");
        }
        int datatypes = mutation && session.has(Feature.JSON) ? Datatypes.JSON : Datatypes.RAW;
        if ((request.head().datatype() & ~datatypes) != 0) {
            throw CommandException.of(Status.EINVAL, "That datatype has not been negotiated");
        }
        checkDurability(session, frame.durability());
        if (access != Access.ANYBODY && session.user() == null) {
            throw CommandException.of(Status.EACCESS, "Log in first");
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
            throw CommandException.of(Status.EINVAL, "Only what changes a document can be durable");
        }
        if (!session.has(Feature.SYNC_REPLICATION)) {
            throw CommandException.of(Status.NOT_SUPPORTED, "Durability has not been negotiated");
        }
        if (durability.level() < Durability.MAJORITY || durability.level() > Durability.PERSIST_TO_MAJORITY) {
            throw CommandException.of(Status.DURABILITY_INVALID_LEVEL, "There is no such level of durability");
        }
    }
}
