package io.millrace.worker.addresses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numeric addresses, so that no name has to be resolved. */
class AddressesTest {

    private static final String REDIS = "redis://10.1.2.3:6379/0";

    private static Addresses addresses(List<String> allowed, List<String> refused) {
        return new Addresses(allowed, refused, REDIS, InetAddress::getAllByName, "ALLOWED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "2852039166",
                "::ffff:169.254.169.254",
                "fe80::a9fe:a9fe",
                "fd00:ec2::254",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "0.0.0.0",
                "0.1.2.3",
                "::",
                "224.0.0.1",
                "ff02::1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b::e000:1",
                "2002:a9fe:a9fe::1",
                "::a9fe:a9fe"
            })
    void address_isAlwaysRefused(String host) {
        assertRefused(addresses(List.of(), List.of()), host, 80);
        assertRefused(addresses(List.of(host), List.of()), host, 80);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.1.2.3",
                "2130706433",
                "::1",
                "::ffff:127.0.0.1",
                "10.0.0.7",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "100.127.255.255",
                "192.0.0.8",
                "198.18.0.1",
                "198.19.0.1",
                "203.0.113.5",
                "255.255.255.255",
                "fc00::1",
                "fd12:3456::1",
                "fec0::1",
                "2001::1",
                "2001:db8::1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:7",
                "64:ff9b:1::1",
                "2002:7f00:1::1",
                "2002:5db8:d822::1",
                "::7f00:1",
                "::5db8:d822",
                "3fff::1",
                "100::1",
                "4000::1"
            })
    void privateAddress_isRefusedUnlessTheOperatorNamesIt(String host) throws UnknownHostException {
        assertRefused(addresses(List.of("other.example", "10.0.0.8", host + "1"), List.of()), host, 80);
        assertThat(addresses(List.of(host), List.of()).resolve(host, 80)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "93.184.216.34",
                "9.255.255.255",
                "11.0.0.1",
                "100.63.255.255",
                "100.128.0.1",
                "172.32.0.1",
                "192.167.1.1",
                "198.17.0.1",
                "198.20.0.1",
                "223.255.255.255",
                "2606:2800:220:1::1",
                "2a00:1450::1",
                "64:ff9b::5db8:d822"
            })
    void publicAddress_mayBeCalled(String host) throws UnknownHostException {
        assertThat(addresses(List.of(), List.of()).resolve(host, 443)).hasSize(1);
    }

    @Test
    void allowedPort_allowsNoOther() throws UnknownHostException {
        Addresses addresses = addresses(List.of("127.0.0.1:9000", "[::1]:9000"), List.of());

        assertThat(addresses.resolve("127.0.0.1", 9000)).hasSize(1);
        assertThat(addresses.resolve("[::1]", 9000)).hasSize(1);
        assertRefused(addresses, "127.0.0.1", 9001);
        assertRefused(addresses, "::1", 80);
    }

    @Test
    void refusedPlace_staysRefusedThoughItIsAllowed() throws UnknownHostException {
        Addresses addresses =
                addresses(List.of("127.0.0.1", "10.0.0.7"), List.of("localhost", "10.0.0.7:8082", ":8096"));

        assertRefused(addresses, "127.0.0.1", 8080);
        assertRefused(addresses, "127.1.2.3", 8080);
        assertRefused(addresses, "10.0.0.7", 8082);
        assertRefused(addresses, "93.184.216.34", 8096);
        assertThat(addresses.resolve("10.0.0.7", 8081)).hasSize(1);
    }

    @Test
    void everyNodeOfACluster_isRefused() throws UnknownHostException {
        Addresses addresses = new Addresses(
                List.of("10.1.2.3", "10.1.2.4"),
                List.of(),
                "rediss-cluster://user:p%40ss@10.1.2.3:7000,10.1.2.4:7001/?timeout=3s",
                InetAddress::getAllByName,
                "ALLOWED");

        assertRefused(addresses, "10.1.2.3", 7000);
        assertRefused(addresses, "10.1.2.4", 7001);
        assertThat(addresses.resolve("10.1.2.4", 7000)).hasSize(1);
    }

    @Test
    void nameWithPublicAndPrivateAddresses_isRefused() {
        Addresses addresses = new Addresses(
                List.of(),
                List.of(),
                REDIS,
                host -> new InetAddress[] {InetAddress.getByName("93.184.216.34"), InetAddress.getByName("127.0.0.1")},
                "ALLOWED");

        assertRefused(addresses, "rebound.example", 80);
    }

    @Test
    void name_isResolvedOnce_soThatTheCheckedAddressIsTheOneReturned() throws UnknownHostException {
        Deque<String> answers = new ArrayDeque<>(List.of("93.184.216.34", "127.0.0.1"));
        Addresses addresses = new Addresses(
                List.of(),
                List.of(),
                REDIS,
                host -> new InetAddress[] {InetAddress.getByName(answers.pop())},
                "ALLOWED");

        assertThat(addresses.resolve("rebound.example", 80)).containsExactly(InetAddress.getByName("93.184.216.34"));
        assertThat(answers).containsExactly("127.0.0.1");
        assertRefused(addresses, "rebound.example", 80);
    }

    private static void assertRefused(Addresses addresses, String host, int port) {
        assertThatThrownBy(() -> addresses.resolve(host, port))
                .isInstanceOf(Addresses.Refused.class)
                .hasMessageContaining("the address of " + host + " may not be called by functions");
    }
}
