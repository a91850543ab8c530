package io.millrace.n1ql.expression;

import org.jspecify.annotations.Nullable;

/** The blocks around an expression, innermost first; at run time each has a frame. */
public record BlockChain(int block, @Nullable BlockChain outer) {

    /** Returns how many levels out the frame of a block is. */
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
