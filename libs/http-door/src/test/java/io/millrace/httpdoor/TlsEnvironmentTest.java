package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

class TlsEnvironmentTest {

    private final MockEnvironment environment = new MockEnvironment()
            .withProperty("spring.application.name", "ui-gateway")
            .withProperty("MILLRACE_TLS_CERTIFICATE", "/tls/tls.crt");

    private MockEnvironment processed() {
        new TlsEnvironment().postProcessEnvironment(environment, new SpringApplication());
        return environment;
    }

    @ParameterizedTest
    @CsvSource({
        // services, whether the gateway uses the certificate
        "'',                           true",
        "ui-gateway,                   true",
        "'subdoc-service, ui-gateway', true",
        "subdoc-service,               false",
        "gateway,                      false",
    })
    void certificate_isForTheServicesThatTheEnvironmentNames(String services, boolean used) {
        environment.setProperty("MILLRACE_TLS_KEY", "/tls/tls.key");
        environment.setProperty("MILLRACE_TLS_SERVICES", services);

        assertThat(processed().getProperty("server.ssl.bundle")).isEqualTo(used ? "millrace" : null);
    }

    @Test
    void certificateWithoutAKey_isRefused() {
        assertThatThrownBy(this::processed).hasMessageContaining("MILLRACE_TLS_KEY is not");
    }

    @Test
    void certificatesOfClients_areAskedForIfTheirAuthorityIsKnown() {
        environment.setProperty("MILLRACE_TLS_KEY", "/tls/tls.key");
        environment.setProperty("MILLRACE_TLS_CLIENT_CA", "/tls/clients.crt");

        assertThat(processed().getProperty("server.ssl.client-auth")).isEqualTo("want");
        assertThat(environment.getProperty("spring.ssl.bundle.pem.millrace.truststore.certificate"))
                .isEqualTo("file:/tls/clients.crt");
    }
}
