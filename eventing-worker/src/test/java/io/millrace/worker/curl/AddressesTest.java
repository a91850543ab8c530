package io.millrace.worker.curl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.handler.host.HostFailure;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numeric addresses, so that no name has to be resolved. */
class AddressesTest {

    private static final String REDIS = "redis://10.1.2.3:6379/0";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest/meta-data/",
                "http://169.254.170.2:80/v2/credentials",
                "http://2852039166/latest/meta-data/",
                "http://[::ffff:169.254.169.254]/",
                "http://[fe80::a9fe:a9fe]/",
                "http://[fd00:ec2::254]/",
                "http://100.100.100.200/latest/meta-data/",
                "http://168.63.129.16/metadata",
                "http://192.0.0.192/latest/",
                "http://0.0.0.0:8082/",
                "http://[::]:8082/",
                "http://224.0.0.1/",
                "http://10.1.2.3:6379/"
            })
    void address_isAlwaysRefused(String url) {
        assertRefused(new Addresses(List.of(), REDIS), url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:8082/", "http://127.1.2.3/", "http://[::1]:8096/api", "http://10.0.0.7/x"})
    void addressOfTheSuite_isRefusedWhereItIsConfigured(String url) {
        assertRefused(new Addresses(List.of("localhost", "10.0.0.7"), REDIS), url);
        assertThatCode(() -> new Addresses(List.of(), REDIS).check(URI.create(url)))
                .doesNotThrowAnyException();
    }

    @Test
    void otherAddresses_mayBeCalled() {
        Addresses addresses = new Addresses(List.of("localhost", "10.0.0.7:8082", ":8096"), REDIS);

        for (String url : List.of("https://93.184.216.34/", "http://10.1.2.3/", "http://10.0.0.7:8081/")) {
            assertThatCode(() -> addresses.check(URI.create(url))).doesNotThrowAnyException();
        }
        assertRefused(addresses, "http://10.0.0.7:8082/");
        assertRefused(addresses, "http://93.184.216.34:8096/");
    }

    @Test
    void everyNodeOfACluster_isRefused() {
        Addresses addresses =
                new Addresses(List.of(), "rediss-cluster://user:p%40ss@10.1.2.3:7000,10.1.2.4:7001/?timeout=3s");

        assertRefused(addresses, "http://10.1.2.3:7000/");
        assertRefused(addresses, "http://10.1.2.4:7001/");
        assertThatCode(() -> addresses.check(URI.create("http://10.1.2.4:7000/")))
                .doesNotThrowAnyException();
    }

    private static void assertRefused(Addresses addresses, String url) {
        URI uri = URI.create(url);
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        assertThatThrownBy(() -> addresses.check(uri))
                .isInstanceOf(HostFailure.class)
                .hasMessageContaining("the address of " + host + " may not be called by functions");
    }
}
