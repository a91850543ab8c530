package io.millrace.eventing.delivery;

/**
 * A function stops on this node because the ownership of its vbuckets has changed; nothing is wrong with the function.
 */
public abstract sealed class OwnershipLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private OwnershipLost(String message) {
        super(message);
    }

    /** Another node has claimed vbuckets of the function. */
    public static final class TakenOver extends OwnershipLost {

        private static final long serialVersionUID = 1L;

        public TakenOver(int vbuckets) {
            super("%d vbuckets of the function were taken over by another node".formatted(vbuckets));
        }
    }

    /** The lease of this node has expired: another node may have claimed its vbuckets. */
    public static final class LeaseExpired extends OwnershipLost {

        private static final long serialVersionUID = 1L;

        public LeaseExpired() {
            super("Redis could not be reached for as long as the lease of this node lasts");
        }
    }

    /** Redis may have lost writes that this node has read; positions that it remembers are not valid any more. */
    public static final class WritesLost extends OwnershipLost {

        private static final long serialVersionUID = 1L;

        public WritesLost(String message) {
            super(message);
        }
    }

    /** The plan assigns no vbuckets to this node any more. */
    public static final class NoShare extends OwnershipLost {

        private static final long serialVersionUID = 1L;

        public NoShare() {
            super("The vbuckets of the function were given up");
        }
    }
}
