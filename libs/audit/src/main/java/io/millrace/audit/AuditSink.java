package io.millrace.audit;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where lines of a trail are kept, in order. Used by one thread; its methods may block. */
public interface AuditSink {

    /** Returns the last line, or null if there is none. */
    @Nullable
    String last() throws IOException;

    /** Appends lines durably, all or none. */
    void append(List<String> lines) throws IOException;

    /** Returns the name of the sink for messages. */
    String name();
}
