package io.millrace.eventing.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvertisedUrlTest {

    @Test
    void givenUrl_isUsedUnchanged() {
        assertThat(AdvertisedUrl.of("http://eventing-0.nodes:8096", "0.0.0.0", 8096))
                .isEqualTo("http://eventing-0.nodes:8096");
    }

    @Test
    void bindAddress_isAdvertised() {
        assertThat(AdvertisedUrl.of("", "127.0.0.1", 8096)).isEqualTo("http://127.0.0.1:8096");
        assertThat(AdvertisedUrl.of(" ", "localhost", 1)).isEqualTo("http://localhost:1");
        assertThat(AdvertisedUrl.of("", "::1", 2)).isEqualTo("http://[::1]:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void wildcardAddress_isReplacedByOneThatCanBeCalled(String bind) throws Exception {
        URI url = URI.create(AdvertisedUrl.of("", bind, 8096));

        assertThat(url.getPort()).isEqualTo(8096);
        assertThat(InetAddress.getByName(url.getHost()).isAnyLocalAddress()).isFalse();
    }
}
