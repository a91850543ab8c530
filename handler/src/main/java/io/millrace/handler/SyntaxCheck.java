package io.millrace.handler;

import java.util.List;

/**
 * Looks at code without running any of it: at save time, outside of worker processes. Safe for use by many threads; the
 * first check takes about a second, later ones milliseconds.
 */
public final class SyntaxCheck implements AutoCloseable {

    /** Does nothing yet: the engine is made by the first check. */
    public SyntaxCheck() {}

    /**
     * Checks code as {@link HandlerEngine#compile} will.
     *
     * @return {@link Accepted} or a {@link HandlerRejected}
     */
    public Result check(String name, String code, List<String> headers, List<String> footers) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void close() {}

    /** What a check finds. */
    public sealed interface Result permits Accepted, HandlerRejected {}

    /** @param entryPoints the entry points that the code declares, out of {@code OnUpdate} and {@code OnDelete} */
    public record Accepted(List<String> entryPoints) implements Result {}
}
