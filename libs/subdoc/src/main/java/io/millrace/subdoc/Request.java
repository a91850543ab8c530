package io.millrace.subdoc;

import java.util.List;

/**
 * A sub-document request without its key.
 *
 * @param docFlags bits of {@link DocFlag}; unknown ones are refused by {@link Commands#check}
 * @param specs exactly one for SINGLE
 * @param cas the version that the document must have, 0 for any
 * @param xattrs false when the client has not agreed to extended attributes, so that paths into them are refused
 */
public record Request(Kind kind, int docFlags, List<Spec> specs, long cas, boolean xattrs) {

    /** How the request is framed, which decides about checks and about the form of the answer. */
    public enum Kind {
        SINGLE,
        MULTI_LOOKUP,
        MULTI_MUTATION
    }

    public Request {
        specs = List.copyOf(specs);
        if (kind == Kind.SINGLE && specs.size() != 1) {
            throw new IllegalArgumentException("A single request has one operation, not " + specs.size());
        }
    }

    public static Request single(Spec spec) {
        return new Request(Kind.SINGLE, 0, List.of(spec), 0, true);
    }

    public static Request lookUp(List<Spec> specs) {
        return new Request(Kind.MULTI_LOOKUP, 0, specs, 0, true);
    }

    public static Request mutate(List<Spec> specs) {
        return new Request(Kind.MULTI_MUTATION, 0, specs, 0, true);
    }

    public Request withDocFlags(int bits) {
        return new Request(kind, bits, specs, cas, xattrs);
    }

    public Request withCas(long version) {
        return new Request(kind, docFlags, specs, version, xattrs);
    }

    /** For a client that has not agreed to extended attributes. */
    public Request withoutXattrs() {
        return new Request(kind, docFlags, specs, cas, false);
    }

    /** Returns true when the request changes the document. */
    public boolean mutation() {
        return kind == Kind.MULTI_MUTATION
                || kind == Kind.SINGLE && specs.get(0).operation().mutation();
    }

    public boolean has(int docFlag) {
        return (docFlags & docFlag) != 0;
    }

    /** What a client may say about the document of a request, as bits of one byte. */
    public static final class DocFlag {

        /** Create the document when there is none. */
        public static final int MKDOC = 0x01;

        /** Create the document; there must be none. */
        public static final int ADD = 0x02;

        /** A tombstone may be read and written. */
        public static final int ACCESS_DELETED = 0x04;

        /** A document that is created is a tombstone from the beginning. */
        public static final int CREATE_AS_DELETED = 0x08;

        /** A tombstone becomes a living document. */
        public static final int REVIVE_DOCUMENT = 0x10;

        /** A look-up may be answered by a replica. */
        public static final int REPLICA_READ = 0x20;

        private DocFlag() {}
    }
}
