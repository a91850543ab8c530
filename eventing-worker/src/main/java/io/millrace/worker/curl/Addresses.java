package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses that handlers may not call: link-local ones, among them the metadata services of clouds, the document
 * store, and those that are configured. The client resolves a name again after this check; the platform's cache of
 * names gives it the same answer for the moment between the two.
 */
final class Addresses {

    /** Metadata services that are not link-local: of AWS in IPv6, of Alibaba, Azure and Oracle. */
    private static final Set<String> METADATA =
            Set.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200", "168.63.129.16", "192.0.0.192");

    /** The nodes of a Redis URI, separated by commas, without what comes before and after them. */
    private static final Pattern REDIS = Pattern.compile("redis[\\w-]*://(?:[^/?@]*@)?([^/?@]+).*");

    /** @param host "" for any; @param port -1 for any */
    private record Refused(String host, int port) {}

    private final List<Refused> refused = new ArrayList<>();

    /** @param configured {@code host}, {@code host:port} or {@code :port} */
    Addresses(List<String> configured, String redisUri) {
        configured.forEach(this::add);
        Matcher redis = REDIS.matcher(redisUri);
        for (String node : redis.matches() ? redis.group(1).split(",") : new String[0]) {
            URI one = URI.create("redis://" + node);
            refused.add(new Refused(host(one), one.getPort() < 0 ? 6379 : one.getPort()));
        }
    }

    private void add(String entry) {
        int colon = entry.lastIndexOf(':');
        boolean port = colon >= 0 && entry.substring(colon + 1).matches("\\d{1,5}") && !entry.endsWith("]");
        refused.add(new Refused(
                (port ? entry.substring(0, colon) : entry).toLowerCase(Locale.ROOT),
                port ? Integer.parseInt(entry.substring(colon + 1)) : -1));
    }

    void check(URI url) throws HostFailure {
        int port = url.getPort() >= 0 ? url.getPort() : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
        String host = host(url);
        InetAddress[] addresses = resolved(host);
        for (InetAddress address : addresses) {
            if (address.isLinkLocalAddress()
                    || address.isAnyLocalAddress()
                    || address.isMulticastAddress()
                    || METADATA.contains(literal(address))) {
                throw refuse(host);
            }
        }
        for (Refused one : refused) {
            if ((one.port() < 0 || one.port() == port) && matches(one.host(), host, addresses)) {
                throw refuse(host);
            }
        }
    }

    /** Returns an address in figures, without the network interface that may follow one of IPv6. */
    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    private static boolean matches(String refusedHost, String host, InetAddress[] addresses) throws HostFailure {
        if (refusedHost.isEmpty() || refusedHost.equals(host)) {
            return true;
        }
        try {
            for (InetAddress one : InetAddress.getAllByName(refusedHost)) {
                for (InetAddress other : addresses) {
                    if (one.equals(other) || one.isLoopbackAddress() && other.isLoopbackAddress()) {
                        return true;
                    }
                }
            }
        } catch (UnknownHostException e) {
            // a name that cannot be resolved refuses no address
        }
        return false;
    }

    private static InetAddress[] resolved(String host) throws HostFailure {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw HostFailure.curlError("Unable to perform the request: Couldn't resolve host name");
        }
    }

    private static String host(URI url) {
        String host = url.getHost() == null ? "" : url.getHost();
        return (host.startsWith("[") ? host.substring(1, host.length() - 1) : host).toLowerCase(Locale.ROOT);
    }

    private static HostFailure refuse(String host) {
        return HostFailure.curlError(
                "Unable to perform the request: the address of %s may not be called by functions".formatted(host));
    }
}
