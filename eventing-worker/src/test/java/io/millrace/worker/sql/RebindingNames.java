package io.millrace.worker.sql;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.List;
import java.util.stream.Stream;

/**
 * The name service of a server that gives one name other addresses from question to question. Java asks it in the place of
 * its own, in the whole process of the tests; other names have the addresses of the machine's name service.
 */
public final class RebindingNames extends InetAddressResolverProvider {

    static final String NAME = "rebinding.test";

    /** The answer that there is no such name. */
    static final String UNKNOWN = "";

    private static List<String> answers = List.of(UNKNOWN);

    /** The addresses of the name, one for each question; the last one answers all further ones. */
    static synchronized void answer(String... addresses) {
        answers = List.of(addresses);
    }

    private static synchronized String next() throws UnknownHostException {
        String next = answers.getFirst();
        answers = answers.size() == 1 ? answers : answers.subList(1, answers.size());
        if (next.equals(UNKNOWN)) {
            throw new UnknownHostException(NAME);
        }
        return next;
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        Security.setProperty("networkaddress.cache.ttl", "0"); // what an attacker waits for
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return host.equals(NAME) ? Stream.of(InetAddress.getByName(next())) : usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "names of tests";
    }
}
