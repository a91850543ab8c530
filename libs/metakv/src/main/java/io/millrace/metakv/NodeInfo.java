package io.millrace.metakv;

import java.util.regex.Pattern;

/**
 * A node of the system: one running process of a service.
 *
 * @param id unique and stable over restarts of the process; 1 to 64 letters, digits, {@code _} or {@code -}
 * @param service what it is, such as {@code eventing}
 * @param address where others reach it, such as {@code http://10.0.0.7:8096}
 * @param version of its software
 */
public record NodeInfo(String id, String service, String address, String version) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int MAX_FIELD_CHARS = 256;

    public NodeInfo {
        if (!ID.matcher(id).matches()) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST, "A node id is 1 to 64 letters, digits, '_' or '-'.");
        }
        if (service.isBlank() || address.isBlank()) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST, "A node has a service and an address; neither may be empty.");
        }
        if (Math.max(service.length(), Math.max(address.length(), version.length())) > MAX_FIELD_CHARS) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    "A node's service, address and version have at most " + MAX_FIELD_CHARS + " characters each.");
        }
    }
}
