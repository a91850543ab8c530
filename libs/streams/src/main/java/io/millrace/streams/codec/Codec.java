package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import java.time.InstantSource;
import java.util.Optional;

/** Translates between the events of a category and what is stored. */
public interface Codec<E> {

    /** Returns the event as it is to be stored. */
    EncodedEvent encode(E event);

    /** Returns the event, or nothing when it is of a type that this program does not know; such events are left out. */
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
