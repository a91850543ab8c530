package io.millrace.worker;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.NotLoaded;
import io.millrace.handler.host.HandlerHost;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Code that has been loaded before. It is read when the first thread needs it. Thread-safe. */
final class KnownCode implements Code {

    private final String bucket;
    private final Supplier<HandlerEngine.Compilation> reading;

    private @Nullable HandlerCode code; // guarded by this

    /**
     * @param bucket whose events the code is called with
     * @param reading reads the code
     */
    KnownCode(String bucket, Supplier<HandlerEngine.Compilation> reading) {
        this.bucket = bucket;
        this.reading = reading;
    }

    /** Fails with {@link NotLoaded} when the code cannot be read any more. */
    @Override
    public Loaded open(HandlerHost host) {
        return code().open(host);
    }

    private synchronized HandlerCode code() {
        HandlerCode read = code;
        if (read == null) {
            read = switch (reading.get()) {
                case HandlerRejected rejected -> throw new NotLoaded(rejected.message());
                case Handler handler -> new HandlerCode(handler, bucket);
            };
            code = read;
        }
        return read;
    }
}
