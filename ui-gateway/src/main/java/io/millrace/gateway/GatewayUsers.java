package io.millrace.gateway;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.UserDirectory;
import java.net.URI;
import java.time.Clock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The users whose logins the gateway checks. */
@Configuration(proxyBeanMethods = false)
class GatewayUsers {

    @Bean(initMethod = "start", destroyMethod = "close")
    UserDirectory users(@Value("${millrace.metakv.url}") URI url, ClusterIdentity identity) {
        return new UserDirectory(MetakvClient.httpForSecrets(url, "ui-gateway", identity::headers), Clock.systemUTC());
    }

    /** Until there is a user, every login fails and the gateway can do nothing for anyone. */
    @Bean
    HealthIndicator usersHealthIndicator(UserDirectory users) {
        return () -> users.ready() && !users.users().isEmpty()
                ? Health.up().build()
                : Health.down()
                        .withDetail("reason", users.ready() ? "there are no users" : "the users have not been read yet")
                        .build();
    }
}
