package io.millrace.subdocservice.rest.live;

import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a live query is in the changes of its bucket; as text it is the id of an event.
 *
 * @param collection the number of the collection: another one of the same name, or one that was flushed, has another
 * @param seqno the place in the order of the bucket up to which everything has been sent
 * @param begin the newest place when the query began: changes up to there belong to the first documents
 */
record LivePosition(int collection, long seqno, long begin) {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,16})(?:\\.([0-9]{1,16}))?");

    static LivePosition parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw ApiException.of(
                    ApiError.INVALID_HEADER,
                    "Last-Event-ID, or since, must be the id of an event of a live query, not '%s'.".formatted(text));
        }
        long seqno = Long.parseLong(parts.group(2));
        return new LivePosition(
                Integer.parseInt(parts.group(1)),
                seqno,
                parts.group(3) == null ? seqno : Long.parseLong(parts.group(3)));
    }

    LivePosition at(long newSeqno) {
        return new LivePosition(collection, newSeqno, begin);
    }

    @Override
    public String toString() {
        return collection + "." + seqno + (seqno < begin ? "." + begin : "");
    }
}
