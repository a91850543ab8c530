package io.millrace.acceptance;

import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.client.Call;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The requests of the matrix of opcodes: one for each opcode and bucket, in the form that the opcode has. */
final class OpcodeRows {

    private static final String KEY = "absent";
    private static final String PATH = "n";
    private static final int XATTR = 4;

    /**
     * A request.
     *
     * @param bucket the bucket that is selected before it, "" if the opcode does not depend on one
     */
    record Row(Opcode opcode, String bucket, Call call) {

        /** Whether the connection is of no use to further requests. */
        boolean ends() {
            return opcode.loud() == Opcode.QUIT || opcode == Opcode.SASL_AUTH;
        }

        /** Whether every user gets the answer to a request that is out of turn. */
        boolean outOfTurn() {
            return opcode == Opcode.SASL_STEP;
        }

        @Override
        public String toString() {
            return bucket.isEmpty() ? opcode.name() : opcode + " " + bucket;
        }
    }

    private static final Map<Opcode, Call> WITHOUT_BUCKET = withoutBucket();
    private static final Map<Opcode, Call> IN_BUCKET = inBucket();
    private static final List<Row> ALL = rows();

    private OpcodeRows() {}

    /** Returns the rows; those that end a connection come last, those of the bucket without a role before the other one. */
    static List<Row> all() {
        return ALL;
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        WITHOUT_BUCKET.forEach((opcode, call) -> rows.add(new Row(opcode, "", call)));
        for (String bucket : List.of(MatrixRows.OTHER_BUCKET, MatrixRows.BUCKET)) {
            rows.add(new Row(Opcode.SELECT_BUCKET, bucket, Call.of(Opcode.SELECT_BUCKET, bucket)));
            for (Opcode opcode : Opcode.values()) {
                Call form = IN_BUCKET.get(opcode.loud());
                if (form != null) {
                    rows.add(new Row(opcode, bucket, withOpcode(form, opcode)));
                } else if (opcode != Opcode.SELECT_BUCKET && !WITHOUT_BUCKET.containsKey(opcode)) {
                    rows.add(new Row(opcode, bucket, Call.of(opcode))); // not offered
                }
            }
        }
        return rows.stream()
                .sorted((one, other) -> Boolean.compare(one.ends(), other.ends()))
                .toList();
    }

    private static Call withOpcode(Call form, Opcode opcode) {
        return Call.of(opcode)
                .withExtras(form.extras())
                .withKey(form.key())
                .withValue(form.value())
                .withCas(form.cas());
    }

    private static Map<Opcode, Call> withoutBucket() {
        Map<Opcode, Call> calls = new EnumMap<>(Opcode.class);
        for (Opcode opcode : Set.of(
                Opcode.SASL_LIST_MECHS,
                Opcode.NOOP,
                Opcode.VERSION,
                Opcode.QUIT,
                Opcode.QUITQ,
                Opcode.GET_CLUSTER_CONFIG)) {
            calls.put(opcode, Call.of(opcode));
        }
        calls.put(Opcode.HELLO, Call.of(Opcode.HELLO).withValue(Feature.encode(List.of(Feature.XATTR))));
        calls.put(Opcode.GET_ERROR_MAP, Call.of(Opcode.GET_ERROR_MAP).withValue(new byte[] {0, 2}));
        calls.put(Opcode.SASL_AUTH, Call.of(Opcode.SASL_AUTH, "SCRAM-SHA1").withValue("n,,n=matrix,r=nonce"));
        calls.put(Opcode.SASL_STEP, Call.of(Opcode.SASL_STEP, "SCRAM-SHA1").withValue("c=biws,r=nonce,p=proof"));
        return calls;
    }

    private static Map<Opcode, Call> inBucket() {
        Map<Opcode, Call> calls = new EnumMap<>(Opcode.class);
        for (Opcode opcode : Set.of(
                Opcode.GET,
                Opcode.GETK,
                Opcode.GET_META,
                Opcode.DELETE,
                Opcode.GET_LOCKED,
                Opcode.SUBDOC_MULTI_LOOKUP)) {
            calls.put(opcode, Call.of(opcode, KEY));
        }
        calls.put(Opcode.UNLOCK, Call.of(Opcode.UNLOCK, KEY).withCas(1));
        calls.put(Opcode.SUBDOC_MULTI_MUTATION, Call.of(Opcode.SUBDOC_MULTI_MUTATION, KEY));
        for (Opcode opcode : Set.of(Opcode.SET, Opcode.ADD, Opcode.REPLACE)) {
            calls.put(opcode, Call.of(opcode, "written").withExtras(new byte[8]).withValue("{}"));
        }
        for (Opcode opcode : Set.of(Opcode.APPEND, Opcode.PREPEND)) {
            calls.put(opcode, Call.of(opcode, KEY).withValue("x"));
        }
        for (Opcode opcode : Set.of(Opcode.INCREMENT, Opcode.DECREMENT)) {
            calls.put(opcode, Call.of(opcode, "counter").withExtras(new byte[20]));
        }
        for (Opcode opcode : Set.of(Opcode.TOUCH, Opcode.GAT)) {
            calls.put(opcode, Call.of(opcode, KEY).withExtras(new byte[4]));
        }
        for (Opcode opcode : Opcode.values()) {
            if (opcode.name().startsWith("SUBDOC_") && !calls.containsKey(opcode)) {
                calls.put(
                        opcode,
                        Call.of(opcode, KEY)
                                .withExtras(new byte[] {0, (byte) PATH.length(), flags(opcode)})
                                .withValue(PATH + value(opcode)));
            }
        }
        calls.put(Opcode.GET_RANDOM_KEY, Call.of(Opcode.GET_RANDOM_KEY));
        calls.put(Opcode.GET_COLLECTIONS_MANIFEST, Call.of(Opcode.GET_COLLECTIONS_MANIFEST));
        calls.put(Opcode.GET_COLLECTION_ID, Call.of(Opcode.GET_COLLECTION_ID).withValue("_default._default"));
        calls.put(Opcode.GET_SCOPE_ID, Call.of(Opcode.GET_SCOPE_ID).withValue("_default"));
        calls.put(
                Opcode.RANGE_SCAN_CREATE,
                Call.of(Opcode.RANGE_SCAN_CREATE).withValue("{\"sampling\":{\"samples\":1}}"));
        calls.put(
                Opcode.RANGE_SCAN_CONTINUE, Call.of(Opcode.RANGE_SCAN_CONTINUE).withExtras(new byte[28]));
        calls.put(Opcode.RANGE_SCAN_CANCEL, Call.of(Opcode.RANGE_SCAN_CANCEL).withExtras(new byte[16]));
        return calls;
    }

    private static byte flags(Opcode opcode) {
        return (byte) (opcode == Opcode.SUBDOC_REPLACE_BODY_WITH_XATTR ? XATTR : 0);
    }

    private static String value(Opcode opcode) {
        return switch (opcode) {
            case SUBDOC_GET, SUBDOC_EXISTS, SUBDOC_GET_COUNT, SUBDOC_DELETE, SUBDOC_REPLACE_BODY_WITH_XATTR -> "";
            default -> "1";
        };
    }
}
