package io.millrace.streams;

import io.millrace.streams.store.Token;
import java.time.Duration;

/** From where a state may be taken. */
public sealed interface LoadOption<S> {

    /** From a cache only after its being up to date has been checked. */
    record RequireLoad<S>() implements LoadOption<S> {}

    /** As {@link RequireLoad}, from a primary: never from a replica. */
    record RequireLeader<S>() implements LoadOption<S> {}

    /** From the cache without a check, where it has one. A sync finds out when it is old. */
    record AnyCachedValue<S>() implements LoadOption<S> {}

    /** From the cache without a check when it was checked not longer ago than this; concurrent loads are one. */
    record AllowStale<S>(Duration maxAge) implements LoadOption<S> {}

    /** The stream is thought to be empty. */
    record AssumeEmpty<S>() implements LoadOption<S> {}

    /** From somebody who has kept it. */
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
