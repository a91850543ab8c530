package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import java.util.Optional;

/** A codec whose larger events are deflated. */
record CompressedCodec<E>(Codec<E> codec, int fromChars) implements Codec<E> {

    @Override
    public EncodedEvent encode(E event) {
        EncodedEvent encoded = codec.encode(event);
        return encoded.data().length() < fromChars ? encoded : Compression.deflate(encoded);
    }

    @Override
    public Optional<E> decode(EncodedEvent event) {
        return codec.decode(Compression.expand(event));
    }
}
