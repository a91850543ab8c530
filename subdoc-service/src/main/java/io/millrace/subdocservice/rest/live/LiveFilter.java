package io.millrace.subdocservice.rest.live;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.n1ql.DocumentCondition;
import io.millrace.n1qldocuments.DocumentValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The condition of all live queries with the same text on a collection. A change is evaluated and written once for those of
 * them that come to it soon. Thread-safe.
 */
final class LiveFilter {

    private static final byte[] NO_MATCH = {};

    /** One state of a document. */
    private record Version(String id, long cas, boolean live) {}

    private final DocumentCondition condition;
    private final ReentrantLock lock = new ReentrantLock();

    /** What has been evaluated, oldest first: the data of a match, or nothing. */
    private final Map<Version, byte[]> kept = new LinkedHashMap<>();

    private long bytes;
    private long evaluations;

    LiveFilter(DocumentCondition condition) {
        this.condition = condition;
    }

    /** Returns the data of the event that a document is the reason of if it matches, or null if it does not. */
    byte @Nullable [] match(Document document) {
        Version version = new Version(document.key().id(), document.cas(), document.live());
        lock.lock();
        try {
            byte[] data = kept.get(version);
            if (data == null) {
                evaluations++;
                data = matches(document) ? data(document) : NO_MATCH;
                keep(version, data);
            }
            return data == NO_MATCH ? null : data;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many states of documents were evaluated. */
    long evaluations() {
        lock.lock();
        try {
            return evaluations;
        } finally {
            lock.unlock();
        }
    }

    private void keep(Version version, byte[] data) {
        kept.put(version, data);
        bytes += data.length;
        Iterator<byte[]> oldest = kept.values().iterator();
        while (kept.size() > LiveLimits.KEPT_CHANGES || bytes > LiveLimits.KEPT_BYTES) {
            bytes -= oldest.next().length;
            oldest.remove();
        }
    }

    /** A document for which the condition cannot be computed does not match. */
    private boolean matches(Document document) {
        if (!document.live()) {
            return false;
        }
        try {
            return condition.test(DocumentValues.body(document), () -> DocumentValues.meta(document))
                    == DocumentCondition.Result.TRUE;
        } catch (RuntimeException e) { // also of bytes that are not the JSON that they are said to be
            return false;
        }
    }

    private static byte[] data(Document document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.body().length + 100);
        out.writeBytes(LiveEvents.head(document));
        if (document.datatype() == Datatype.BINARY) {
            String text = Base64.getEncoder().encodeToString(document.body());
            out.writeBytes((",\"base64\":\"" + text + "\"}").getBytes(StandardCharsets.US_ASCII));
        } else {
            out.writeBytes(",\"document\":".getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(oneLine(document.body()));
            out.write('}');
        }
        return out.toByteArray();
    }

    /** Line breaks are only between the tokens of JSON; in an event they would end the line. */
    private static byte[] oneLine(byte[] json) {
        byte[] line = json.clone();
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        return line;
    }
}
