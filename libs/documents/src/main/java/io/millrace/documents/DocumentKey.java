package io.millrace.documents;

import java.util.Objects;

/**
 * Where a document lives: a keyspace and an id.
 *
 * @param id 1 to {@link Limits#MAX_ID_BYTES} bytes of UTF-8 without the character U+0000; checked on use
 */
public record DocumentKey(Keyspace keyspace, String id) {

    public DocumentKey {
        Objects.requireNonNull(keyspace, "keyspace");
        Objects.requireNonNull(id, "id");
    }

    /** Returns the vbucket, 0 to 1023, that the id belongs to; the keyspace has no part in it. */
    public int vbucket() {
        return VBuckets.of(id);
    }

    @Override
    public String toString() {
        return keyspace + "/" + id;
    }
}
