package io.millrace.subdoc.requests;

import io.millrace.subdoc.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/** The attributes that are computed, not stored, each as a JSON object that holds it under its name. */
final class Virtual {

    private Virtual() {}

    /** Returns the object with the virtual attribute that a path begins with; it must be a known one. */
    static byte[] holder(byte[] path, Snapshot snapshot) {
        String name = XattrName.of(path);
        String content = switch (name) {
            case XattrName.DOCUMENT -> document(snapshot);
            case XattrName.TABLE -> table(snapshot);
            case XattrName.VBUCKET ->
                "{\"HLC\":{\"now\":\"%d\",\"mode\":\"real\"}}"
                        .formatted(snapshot.meta().nowSeconds());
            default -> throw new IllegalArgumentException("No virtual attribute: " + name);
        };
        return ("{\"" + name + "\":" + content + "}").getBytes(StandardCharsets.UTF_8);
    }

    private static String document(Snapshot snapshot) {
        Snapshot.Meta meta = snapshot.meta();
        return ("{\"CAS\":\"0x%016x\",\"vbucket_uuid\":\"0x%016x\",\"seqno\":\"0x%016x\",\"revid\":\"%d\",\"exptime\":%d,"
                        + "\"value_bytes\":%d,\"datatype\":%s,\"deleted\":%b,\"flags\":%d,\"last_modified\":\"%d\","
                        + "\"value_crc32c\":\"0x%08x\"}")
                .formatted(
                        meta.cas(),
                        meta.vbucketUuid(),
                        meta.seqno(),
                        meta.revision(),
                        meta.expirySeconds(),
                        snapshot.body().length,
                        datatype(snapshot),
                        snapshot.state() != Snapshot.State.LIVE,
                        Integer.toUnsignedLong(meta.flags()),
                        meta.modifiedSeconds(),
                        crc32c(snapshot.body()));
    }

    private static String datatype(Snapshot snapshot) {
        boolean json = snapshot.json() && snapshot.body().length > 0;
        boolean xattr = snapshot.userXattrs() != null || snapshot.systemXattrs() != null;
        if (!json) {
            return xattr ? "[\"xattr\"]" : "[\"raw\"]";
        }
        return xattr ? "[\"json\",\"xattr\"]" : "[\"json\"]";
    }

    /** Returns the names of the attributes that are stored, sorted. */
    private static String table(Snapshot snapshot) {
        TreeSet<String> names = new TreeSet<>();
        for (byte[] object : new byte[][] {snapshot.userXattrs(), snapshot.systemXattrs()}) {
            if (object != null) {
                Members.keys(object, names);
            }
        }
        return "[" + String.join(",", names) + "]";
    }

    static long crc32c(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return crc.getValue();
    }
}
