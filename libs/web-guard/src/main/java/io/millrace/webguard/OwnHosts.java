package io.millrace.webguard;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names and addresses under which clients may address a service. A page whose name an attacker has pointed at our address
 * (DNS rebinding) is of the same origin as we are for a browser; the name in {@code Host} gives it away.
 */
final class OwnHosts {

    private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?");

    private final Set<String> names;

    private OwnHosts(Set<String> names) {
        this.names = names;
    }

    /**
     * @param configured host names and IP addresses without ports; blank ones are ignored
     * @param known the names that this machine has without being told
     * @throws IllegalArgumentException if a configured one is neither a name nor an address
     */
    static OwnHosts of(Collection<String> configured, Collection<String> known) {
        Set<String> all = new HashSet<>();
        all.add("localhost");
        known.stream().filter(name -> !name.isBlank()).map(OwnHosts::bare).forEach(all::add);
        configured.stream()
                .filter(name -> !name.isBlank())
                .map(name -> checked(name.strip()))
                .forEach(all::add);
        return new OwnHosts(all);
    }

    private static String checked(String name) {
        String host = bare(name);
        if (!NAME.matcher(host).matches() && NetUtil.createInetAddressFromIpAddressString(host) == null) {
            throw new IllegalArgumentException(
                    "MILLRACE_HOSTS has '%s', which is not a host name or an IP address; write names without scheme, port and path, separated by commas"
                            .formatted(name));
        }
        return host;
    }

    /** Without brackets and without the dot of a complete name. */
    private static String bare(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[") && lower.endsWith("]")) {
            return lower.substring(1, lower.length() - 1);
        }
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /**
     * Returns whether a {@code Host} header addresses this service.
     *
     * @param local the address to which the client has connected
     */
    boolean contains(String header, @Nullable InetSocketAddress local) {
        Authority authority = Authority.parse(header);
        if (authority == null) {
            return false;
        }
        String host = bare(authority.host());
        if (names.contains(host)) {
            return true;
        }
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        return address != null
                && (address.isLoopbackAddress() || (local != null && address.equals(local.getAddress())));
    }
}
