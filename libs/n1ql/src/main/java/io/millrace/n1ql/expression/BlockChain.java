package io.millrace.n1ql.expression;

import org.jspecify.annotations.Nullable;

/** The blocks that an expression stands in, from the inside out: as the frames will be at run time. */
public record BlockChain(int block, @Nullable BlockChain outer) {

    /** Returns how many frames further out a block's frame is. */
    int distance(int wanted) {
        int distance = 0;
        BlockChain at = this;
        while (at.block != wanted) {
            BlockChain next = at.outer;
            if (next == null) {
                throw new IllegalStateException("block " + wanted + " is not around " + this);
            }
            at = next;
            distance++;
        }
        return distance;
    }
}
