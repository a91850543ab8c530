package io.millrace.streams;

import io.millrace.streams.store.Token;
import java.time.Duration;

/** Where a state may be taken from. */
public sealed interface LoadOption<S> {

    /** From the store; a cached state is used after a check that it is up to date. */
    record RequireLoad<S>() implements LoadOption<S> {}

    /** As {@link RequireLoad}, from a primary: never from a replica. */
    record RequireLeader<S>() implements LoadOption<S> {}

    /** From the cache without a check, if it has the state. A sync on a stale state ends in a conflict. */
    record AnyCachedValue<S>() implements LoadOption<S> {}

    /** From the cache without a check if it was checked at most this long ago; concurrent loads share one trip. */
    record AllowStale<S>(Duration maxAge) implements LoadOption<S> {}

    /** The stream is assumed to be empty; nothing is read. */
    record AssumeEmpty<S>() implements LoadOption<S> {}

    /** The caller provides the state; nothing is read. */
    record FromMemento<S>(Token token, S state) implements LoadOption<S> {}

    static <S> LoadOption<S> requireLoad() {
        return new RequireLoad<>();
    }

    static <S> LoadOption<S> requireLeader() {
        return new RequireLeader<>();
    }

    static <S> LoadOption<S> anyCachedValue() {
        return new AnyCachedValue<>();
    }

    static <S> LoadOption<S> allowStale(Duration maxAge) {
        return new AllowStale<>(maxAge);
    }

    static <S> LoadOption<S> assumeEmpty() {
        return new AssumeEmpty<>();
    }

    static <S> LoadOption<S> fromMemento(Token token, S state) {
        return new FromMemento<>(token, state);
    }
}
