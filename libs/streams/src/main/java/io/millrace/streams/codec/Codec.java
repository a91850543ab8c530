package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import java.time.InstantSource;
import java.util.Optional;

/** Translates between the events of a category and encoded events. */
public interface Codec<E> {

    /** Returns the encoded form of an event. */
    EncodedEvent encode(E event);

    /** Returns the event, or empty when its type is unknown to this program; such events are skipped. */
    Optional<E> decode(EncodedEvent event);

    /**
     * Returns a codec for a sealed interface of records: the simple name of the record is the type of the event, its
     * components the data.
     */
    static <E> Codec<E> json(Class<E> events) {
        return new JsonCodec<>(events, InstantSource.system());
    }

    /** Returns a codec that deflates the data of events from a size in characters on, where that makes them smaller. */
    default Codec<E> compressed(int fromChars) {
        return new CompressedCodec<>(this, fromChars);
    }
}
