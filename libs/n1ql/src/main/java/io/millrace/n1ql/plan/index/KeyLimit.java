package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.runtime.Frame;

/** The values of a key of an index that conditions allow; they may depend on parameters and outer rows. */
interface KeyLimit {

    Intervals at(Frame row);

    /** Returns whether there is at most one value. */
    default boolean single() {
        return false;
    }

    default KeyLimit and(KeyLimit other) {
        KeyLimit first = this;
        return new KeyLimit() {
            @Override
            public Intervals at(Frame row) {
                return first.at(row).and(other.at(row));
            }

            @Override
            public boolean single() {
                return first.single() || other.single();
            }
        };
    }

    default KeyLimit or(KeyLimit other) {
        return row -> at(row).or(other.at(row));
    }

    /** The same values, but the condition also depends on something else. */
    default KeyLimit loosely() {
        KeyLimit own = this;
        return new KeyLimit() {
            @Override
            public Intervals at(Frame row) {
                return new Intervals(own.at(row).all(), false);
            }

            @Override
            public boolean single() {
                return own.single();
            }
        };
    }
}
