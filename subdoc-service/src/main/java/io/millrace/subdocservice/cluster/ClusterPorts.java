package io.millrace.subdocservice.cluster;

/**
 * The ports of this process.
 *
 * @param kv of the binary protocol
 * @param kvTls of the binary protocol with TLS; 0 if there is none
 * @param http of the endpoints below {@code /pools} and of queries
 * @param httpTls whether the HTTP port takes TLS only
 */
public record ClusterPorts(int kv, int kvTls, int http, boolean httpTls) {

    /** Returns the ports of a process without TLS. */
    public static ClusterPorts plain(int kv, int http) {
        return new ClusterPorts(kv, 0, http, false);
    }

    /** Returns the ports as SDKs read them; those with TLS have names of their own. */
    String services() {
        String mark = httpTls ? "SSL" : "";
        return "\"kv\":%d,%s\"mgmt%s\":%d,\"n1ql%s\":%d"
                .formatted(kv, kvTls == 0 ? "" : "\"kvSSL\":" + kvTls + ",", mark, http, mark, http);
    }
}
