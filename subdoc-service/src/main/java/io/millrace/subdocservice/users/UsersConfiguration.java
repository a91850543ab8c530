package io.millrace.subdocservice.users;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.http.Requester;
import io.millrace.users.FirstAdministrator;
import io.millrace.users.UserDirectory;
import java.net.URI;
import java.time.Clock;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.Disposable;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(UsersSettings.class)
class UsersConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(UsersConfiguration.class);

    /** For users only: their entries contain password keys. */
    @Bean
    @ConditionalOnMissingBean
    MetakvClient metakvClient(@Value("${millrace.metakv.url}") URI url, ClusterIdentity identity) {
        return MetakvClient.httpForSecrets(url, "subdoc-service", identity::headers);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    UserDirectory users(MetakvClient metakv) {
        return new UserDirectory(metakv, Clock.systemUTC());
    }

    @Bean(destroyMethod = "dispose")
    Disposable firstAdministrator(UserDirectory users, UsersSettings settings) {
        return new FirstAdministrator(
                        users,
                        settings.adminName(),
                        settings.adminPassword(),
                        settings.firstPassword(),
                        () -> LOG.error("event=administrator_missing"
                                + " There are no users, so every login fails. Name a file with the password of the first"
                                + " administrator in MILLRACE_ADMIN_PASSWORD_FILE and start this service again."))
                .start();
    }

    @Bean
    Logins logins(UserDirectory users, ClusterIdentity identity) {
        return new DirectoryLogins(users, identity.key("scram-decoys"));
    }

    @Bean
    @Order(0) // before the router that answers 404 below /api
    RouterFunction<ServerResponse> apiKeys(UserDirectory users, Requester requester, InstantSource clock) {
        return new KeyRoutes(users, requester, clock).router();
    }
}
