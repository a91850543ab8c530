package io.millrace.couch.document;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Leaves out elements at the beginning and ends after a number of elements. */
final class Cut implements Iterator<String> {

    private final Iterator<String> all;
    private long left;

    private Cut(Iterator<String> all, long limit) {
        this.all = all;
        this.left = limit;
    }

    static Iterator<String> of(Iterator<String> all, long skip, long limit) {
        for (long i = 0; i < skip && limit > 0 && all.hasNext(); i++) {
            all.next();
        }
        return new Cut(all, limit);
    }

    @Override
    public boolean hasNext() {
        return left > 0 && all.hasNext();
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        left--;
        return all.next();
    }
}
