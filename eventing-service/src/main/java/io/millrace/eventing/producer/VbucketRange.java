package io.millrace.eventing.producer;

import io.millrace.documents.VBuckets;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of vbuckets.
 *
 * @param first the first one
 * @param last the last one; {@code first - 1} in a range of none
 */
record VbucketRange(int first, int last) {

    static final VbucketRange ALL = new VbucketRange(0, VBuckets.COUNT - 1);

    int size() {
        return last - first + 1;
    }

    /**
     * Cuts the range into runs that differ by one at most, the longer ones first (seed document 000, figure 5). Nodes
     * get the parts of {@link #ALL}, a node's workers the parts of its part, and their threads the parts of that.
     */
    List<VbucketRange> split(int parts) {
        List<VbucketRange> ranges = new ArrayList<>(parts);
        int from = first;
        for (int part = 0; part < parts; part++) {
            int size = size() / parts + (part < size() % parts ? 1 : 0);
            ranges.add(new VbucketRange(from, from + size - 1));
            from += size;
        }
        return ranges;
    }
}
