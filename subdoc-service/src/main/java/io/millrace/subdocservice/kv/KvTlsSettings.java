package io.millrace.subdocservice.kv;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the binary endpoint with TLS, which exists if the service has a certificate.
 *
 * @param port the port to listen on; 0 for any free one
 */
@ConfigurationProperties("millrace.kv.tls")
record KvTlsSettings(@DefaultValue("11207") int port) {}
