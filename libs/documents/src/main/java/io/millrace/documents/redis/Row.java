package io.millrace.documents.redis;

import io.lettuce.core.ScoredValue;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.VBuckets;
import io.millrace.documents.feed.FeedSource;
import io.millrace.redis.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A row of by_seq: everything about a change but the document's content.
 *
 * @param seqno when
 * @param state what the change led to
 * @param collection the number of the document's collection
 * @param ref what names the document within its shard
 * @param id the document's id
 */
record Row(long seqno, State state, int collection, byte[] ref, String id) implements FeedSource.Numbered {

    private static final byte FORMAT = '1';
    private static final int REF = 2;

    /** Returns the vbucket of the document. */
    int vbucket() {
        return VBuckets.of(id);
    }

    static Row decode(ScoredValue<byte[]> scored) {
        byte[] member = scored.getValue();
        if (member.length < REF || member[0] != FORMAT) {
            throw corrupt(member);
        }
        int colon = REF;
        int collection = 0;
        while (colon < member.length && member[colon] != ':') {
            collection = collection * 10 + (member[colon++] - '0');
        }
        if (colon == member.length) {
            throw corrupt(member);
        }
        return new Row(
                (long) scored.getScore(),
                DocumentCodec.state((char) member[1]),
                collection,
                Arrays.copyOfRange(member, REF, member.length),
                new String(member, colon + 1, member.length - colon - 1, StandardCharsets.UTF_8));
    }

    /** Returns the number of the collection in a ref. */
    static int collection(byte[] ref) {
        int collection = 0;
        for (int i = 0; i < ref.length && ref[i] != ':'; i++) {
            collection = collection * 10 + (ref[i] - '0');
        }
        return collection;
    }

    /** Returns a ref with another number of a collection. */
    static byte[] renumbered(byte[] ref, int collection) {
        int colon = 0;
        while (ref[colon] != ':') {
            colon++;
        }
        return Keys.ref(Bytes.bytes(collection), Arrays.copyOfRange(ref, colon + 1, ref.length));
    }

    private static DocumentsException corrupt(byte[] member) {
        return DocumentsException.of(
                Code.CORRUPT, "A row of by_seq that this version does not write: " + Bytes.text(member));
    }
}
