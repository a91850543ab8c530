package io.millrace.worker.addresses;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides which addresses handlers may call. Public ones may be called; those of the own machine and of private
 * networks where the operator names the host; those of the document store, link-local ones, the metadata services of
 * clouds and those that the operator refuses may never be called.
 */
public final class Addresses {

    /** The nodes of a Redis URI, separated by commas, without what comes before and after them. */
    private static final Pattern REDIS = Pattern.compile("redis[\\w-]*://(?:[^/?@]*@)?([^/?@]+).*");

    /** Turns a host name, or an address in figures, into addresses. */
    @FunctionalInterface
    public interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** The reason why a host has no address that may be called. */
    public static final class Refused extends UnknownHostException {
        private static final long serialVersionUID = 1L;

        private Refused(String why) {
            super(why);
        }
    }

    /** @param host "" for any; @param port -1 for any */
    private record Place(String host, int port) {

        /** @param entry {@code host}, {@code host:port} or {@code :port} */
        static Place of(String entry) {
            int colon = entry.lastIndexOf(':');
            boolean port = colon >= 0 && entry.substring(colon + 1).matches("\\d{1,5}") && !entry.endsWith("]");
            boolean bare = port && entry.indexOf(':') < colon && !entry.startsWith("["); // an address of IPv6
            return port && !bare
                    ? new Place(Addresses.host(entry.substring(0, colon)), Integer.parseInt(entry.substring(colon + 1)))
                    : new Place(Addresses.host(entry), -1);
        }

        boolean covers(int other) {
            return port < 0 || port == other;
        }
    }

    private final List<Place> allowed;
    private final List<Place> refused = new ArrayList<>();
    private final Resolver resolver;
    private final String variable;

    /**
     * @param allowed private places that may be called: {@code host} or {@code host:port}
     * @param refused places that are never called: {@code host}, {@code host:port} or {@code :port}
     * @param variable where the operator names private places, for messages
     */
    public Addresses(List<String> allowed, List<String> refused, String redisUri, Resolver resolver, String variable) {
        this.allowed = allowed.stream().map(Place::of).toList();
        refused.forEach(entry -> this.refused.add(Place.of(entry)));
        Matcher redis = REDIS.matcher(redisUri);
        for (String node : redis.matches() ? redis.group(1).split(",") : new String[0]) {
            URI one = URI.create("redis://" + node);
            this.refused.add(new Place(host(one.getHost()), one.getPort() < 0 ? 6379 : one.getPort()));
        }
        this.resolver = resolver;
        this.variable = variable;
    }

    /**
     * Returns the addresses to which a connection may go. One address that is refused refuses the host: a name that
     * stands for public and private addresses is a trap.
     *
     * @throws Refused if the host may not be called
     */
    public InetAddress[] resolve(String name, int port) throws UnknownHostException {
        String host = host(name);
        InetAddress[] addresses = resolver.resolve(host);
        for (Place place : refused) {
            if (place.covers(port) && matches(place.host(), host, addresses)) {
                throw new Refused("the address of %s may not be called by functions".formatted(host));
            }
        }
        boolean named = names(host, port);
        for (InetAddress address : addresses) {
            switch (Reach.of(address)) {
                case PUBLIC -> {}
                case PRIVATE -> {
                    if (!named) {
                        throw new Refused(
                                "the address of %s may not be called by functions: it is private, and %s does not name %s"
                                        .formatted(host, variable, host));
                    }
                }
                case NEVER -> throw new Refused("the address of %s may not be called by functions".formatted(host));
            }
        }
        return addresses;
    }

    /** Returns whether the operator names a host as one that may be called at a port. */
    public boolean names(String name, int port) {
        String host = host(name);
        return allowed.stream()
                .anyMatch(place -> place.covers(port) && place.host().equals(host));
    }

    private boolean matches(String refusedHost, String host, InetAddress[] addresses) {
        if (refusedHost.isEmpty() || refusedHost.equals(host)) {
            return true;
        }
        try {
            for (InetAddress one : resolver.resolve(refusedHost)) {
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

    private static String host(String host) {
        return (host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host)
                .toLowerCase(Locale.ROOT);
    }
}
