package io.millrace.handler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The handlers that were used last, by their specs: code that was found good need not be parsed and tried again when its function
 * resumes. Its compiled form stays as well. Thread-safe.
 */
final class KnownHandlers {

    /** The header of functions that have no other. */
    private static final String STRICT = "'use strict';";

    /** The least recently used one first. */
    private final Map<HandlerSpec, Handler> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<HandlerSpec, Handler> eldest) {
            return size() > HandlerLimits.KNOWN_HANDLERS;
        }
    };

    synchronized Optional<Handler> find(HandlerSpec spec) {
        return Optional.ofNullable(known.get(spec));
    }

    /**
     * Keeps a handler, unless its code is long, or something runs while it is loaded, which may end in another way next time, or it
     * has constants: they may be secrets, which must not outlive their function here.
     */
    synchronized void add(HandlerSpec spec, Handler handler) {
        if (spec.code().length() <= HandlerLimits.KNOWN_HANDLER_CHARS && onlyDeclares(spec)) {
            known.put(spec, handler);
        }
    }

    /** Returns whether nothing runs while code is loaded: the code itself may declare functions only. */
    static boolean onlyDeclares(HandlerSpec spec) {
        return spec.constants().isEmpty()
                && spec.libraries().isEmpty()
                && spec.footers().isEmpty()
                && spec.headers().stream().allMatch(STRICT::equals);
    }
}
