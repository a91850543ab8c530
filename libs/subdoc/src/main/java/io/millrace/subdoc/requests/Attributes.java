package io.millrace.subdoc.requests;

import io.millrace.json.JsonSkip;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Change.Stamp;
import io.millrace.subdoc.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The extended attributes of a document while a mutation works on them. */
final class Attributes {

    private static final byte[] EMPTY_OBJECT = {'{', '}'};
    private static final byte[] DROPPED = new byte[0];

    private byte[] user;
    private byte[] system;
    private boolean userChanged;
    private boolean systemChanged;

    private Attributes(byte @Nullable [] user, byte @Nullable [] system) {
        this.user = user == null ? EMPTY_OBJECT : user;
        this.system = system == null ? EMPTY_OBJECT : system;
    }

    static Attributes of(Snapshot snapshot) {
        return new Attributes(snapshot.userXattrs(), snapshot.systemXattrs());
    }

    /** No attributes, replacing those that were there. */
    static Attributes none() {
        Attributes attributes = new Attributes(null, null);
        attributes.userChanged = true;
        attributes.systemChanged = true;
        return attributes;
    }

    /** Returns the object that holds the attribute with which a path begins. */
    byte[] holder(byte[] path) {
        return XattrName.system(path) ? system : user;
    }

    void replaceHolder(byte[] path, byte[] object) {
        if (XattrName.system(path)) {
            system = object;
            systemChanged = true;
        } else {
            user = object;
            userChanged = true;
        }
    }

    void dropUser() {
        user = EMPTY_OBJECT;
        userChanged = true;
    }

    /** Fills in what is known and returns the positions of what only the store will know. */
    List<Stamp> fill(long crc32c) {
        List<Stamp> stamps = new ArrayList<>();
        user = Placeholder.fill(user, crc32c, Stamp.Part.USER_XATTRS, stamps);
        system = Placeholder.fill(system, crc32c, Stamp.Part.SYSTEM_XATTRS, stamps);
        return stamps;
    }

    int userLength() {
        return empty(user) ? 0 : user.length;
    }

    int systemLength() {
        return empty(system) ? 0 : system.length;
    }

    /** Returns the new user attributes for a {@link Change}. */
    byte @Nullable [] changedUser() {
        return userChanged ? empty(user) ? DROPPED : user : null;
    }

    /** Returns the new system attributes for a {@link Change}. */
    byte @Nullable [] changedSystem() {
        return systemChanged ? empty(system) ? DROPPED : system : null;
    }

    private static boolean empty(byte[] object) {
        int at = JsonSkip.blanks(object, 0, object.length) + 1;
        at = JsonSkip.blanks(object, at, object.length);
        return at < object.length && object[at] == '}';
    }
}
