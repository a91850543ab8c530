package io.millrace.metakv;

import java.util.regex.Pattern;

/**
 * A node: a running process of a service.
 *
 * @param id unique, and unchanged by a restart of the process; 1 to 64 letters, digits, {@code _} or {@code -}
 * @param service the name of the service, such as {@code eventing}
 * @param address its URL for other nodes, such as {@code http://10.0.0.7:8096}
 * @param version the version of the software
 */
public record NodeInfo(String id, String service, String address, String version) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int MAX_FIELD_CHARS = 256;

    public NodeInfo {
        if (!ID.matcher(id).matches()) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST, "A node id must be 1 to 64 letters, digits, '_' or '-'.");
        }
        if (service.isBlank() || address.isBlank()) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST, "The service and the address of a node must not be empty.");
        }
        if (Math.max(service.length(), Math.max(address.length(), version.length())) > MAX_FIELD_CHARS) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    "The service, address and version of a node must have at most " + MAX_FIELD_CHARS
                            + " characters each.");
        }
    }
}
