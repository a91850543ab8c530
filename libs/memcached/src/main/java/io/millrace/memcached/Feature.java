package io.millrace.memcached;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The features of HELLO that this library knows. */
public enum Feature {
    TLS(0x02),
    TCP_NODELAY(0x03),
    MUTATION_SEQNO(0x04),
    XATTR(0x06),
    XERROR(0x07),
    SELECT_BUCKET(0x08),
    SNAPPY(0x0a),
    JSON(0x0b),
    DUPLEX(0x0c),
    CLUSTERMAP_CHANGE_NOTIFICATION(0x0d),
    UNORDERED_EXECUTION(0x0e),
    TRACING(0x0f),
    ALT_REQUEST(0x10),
    SYNC_REPLICATION(0x11),
    COLLECTIONS(0x12),
    SNAPPY_EVERYWHERE(0x13),
    PRESERVE_TTL(0x14),
    VATTR(0x15),
    POINT_IN_TIME_RECOVERY(0x16),
    SUBDOC_CREATE_AS_DELETED(0x17),
    SUBDOC_DOCUMENT_MACRO(0x18),
    SUBDOC_REPLACE_BODY_WITH_XATTR(0x19),
    REPORT_UNIT_USAGE(0x1a),
    SUBDOC_REPLICA_READ(0x1c),
    CONFIG_WITH_KNOWN_VERSION(0x1d),
    DEDUPE_NOT_MY_VBUCKET(0x1e),
    CLUSTERMAP_BRIEF(0x1f),
    SUBDOC_BINARY_XATTR(0x21);

    private static final int HIGHEST_CODE = 0x21;
    private static final @Nullable Feature[] BY_CODE = new @Nullable Feature[HIGHEST_CODE + 1];

    static {
        for (Feature feature : values()) {
            BY_CODE[feature.code] = feature;
        }
    }

    private final int code;

    Feature(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Returns the known features of a HELLO request, in the order of the request. */
    public static List<Feature> decode(byte[] codes) {
        List<Feature> features = new ArrayList<>();
        for (int i = 0; i + 1 < codes.length; i += 2) {
            int code = (codes[i] & 0xff) << 8 | codes[i + 1] & 0xff;
            Feature feature = code <= HIGHEST_CODE ? BY_CODE[code] : null;
            if (feature != null && !features.contains(feature)) {
                features.add(feature);
            }
        }
        return features;
    }

    /** Returns the value of a HELLO request or response. */
    public static byte[] encode(List<Feature> features) {
        byte[] codes = new byte[2 * features.size()];
        for (int i = 0; i < features.size(); i++) {
            codes[2 * i + 1] = (byte) features.get(i).code;
        }
        return codes;
    }
}
