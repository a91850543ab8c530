package io.millrace.worker.addresses;

import java.net.InetAddress;
import java.util.Arrays;

/** From where an address can be reached, by the registries of special-purpose addresses (RFC 6890). */
enum Reach {
    /** From everywhere. */
    PUBLIC,
    /** From this machine or its networks: loopback, private, shared (CGNAT), reserved and transition addresses. */
    PRIVATE,
    /** No handler may call it: link-local, any-local and multicast addresses, and the metadata services of clouds. */
    NEVER;

    /** Of AWS in IPv6. */
    private static final Range METADATA_6 =
            Range.of(128, 0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54);

    /** Metadata services of Alibaba, Azure and Oracle, then 0/8, link-local, and multicast. */
    private static final Range[] NEVER_4 = {
        Range.of(32, 100, 100, 100, 200),
        Range.of(32, 168, 63, 129, 16),
        Range.of(32, 192, 0, 0, 192),
        Range.of(8, 0),
        Range.of(16, 169, 254),
        Range.of(4, 224)
    };

    private static final Range[] PRIVATE_4 = {
        Range.of(8, 10),
        Range.of(10, 100, 64), // shared by the customers of a provider
        Range.of(8, 127),
        Range.of(12, 172, 16),
        Range.of(24, 192, 0, 0),
        Range.of(24, 192, 0, 2), // the three networks for documentation
        Range.of(24, 198, 51, 100),
        Range.of(24, 203, 0, 113),
        Range.of(24, 192, 88, 99), // relays of 6to4
        Range.of(16, 192, 168),
        Range.of(15, 198, 18), // benchmarks
        Range.of(4, 240)
    };

    private static final Range GLOBAL_6 = Range.of(3, 0x20);

    /** What is inside the global range of IPv6 and not global: Teredo and others, documentation, 6to4. */
    private static final Range[] PRIVATE_6 = {
        Range.of(23, 0x20, 0x01, 0x00),
        Range.of(32, 0x20, 0x01, 0x0d, 0xb8),
        Range.of(20, 0x3f, 0xff, 0x00),
        Range.of(16, 0x20, 0x02)
    };

    private static final Range NAT64 = Range.of(96, 0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final Range SIX_TO_FOUR = Range.of(16, 0x20, 0x02);
    private static final Range COMPATIBLE = Range.of(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final Range LOOPBACK_6 = Range.of(128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);

    /** @param bits how many of the first bits are compared */
    private record Range(int bits, byte[] start) {

        static Range of(int bits, int... start) {
            byte[] bytes = new byte[start.length];
            for (int i = 0; i < start.length; i++) {
                bytes[i] = (byte) start[i];
            }
            return new Range(bits, bytes);
        }

        boolean contains(byte[] address) {
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if ((address[bit >> 3] & mask) != (start[bit >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    static Reach of(InetAddress address) {
        if (address.isLinkLocalAddress() || address.isAnyLocalAddress() || address.isMulticastAddress()) {
            return NEVER;
        }
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? of4(bytes) : of6(bytes);
    }

    private static Reach of4(byte[] bytes) {
        return in(NEVER_4, bytes) ? NEVER : in(PRIVATE_4, bytes) ? PRIVATE : PUBLIC;
    }

    /**
     * An address that contains one of IPv4 reaches at most what that one reaches. NAT64 is how networks with IPv6 alone
     * reach public servers; the other forms have no such use, so they are private even if they contain a public
     * address.
     */
    private static Reach of6(byte[] bytes) {
        if (METADATA_6.contains(bytes)) {
            return NEVER;
        }
        if (NAT64.contains(bytes)) {
            return of4(Arrays.copyOfRange(bytes, 12, 16));
        }
        if (LOOPBACK_6.contains(bytes)) {
            return PRIVATE;
        }
        byte[] embedded = SIX_TO_FOUR.contains(bytes)
                ? Arrays.copyOfRange(bytes, 2, 6)
                : COMPATIBLE.contains(bytes) ? Arrays.copyOfRange(bytes, 12, 16) : null;
        if (embedded != null) {
            return of4(embedded) == NEVER ? NEVER : PRIVATE;
        }
        return GLOBAL_6.contains(bytes) && !in(PRIVATE_6, bytes) ? PUBLIC : PRIVATE;
    }

    private static boolean in(Range[] ranges, byte[] address) {
        for (Range range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
