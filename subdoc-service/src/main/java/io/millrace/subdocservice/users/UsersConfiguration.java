package io.millrace.subdocservice.users;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.FirstAdministrator;
import io.millrace.users.UserDirectory;
import java.net.URI;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

    /** The generated password is logged once and stored nowhere. */
    @Bean(destroyMethod = "dispose")
    Disposable firstAdministrator(UserDirectory users, UsersSettings settings) {
        return new FirstAdministrator(
                        users,
                        settings.adminName(),
                        settings.adminPassword(),
                        password -> LOG.warn(
                                "event=administrator_created name={} password={}", settings.adminName(), password))
                .start();
    }

    @Bean
    Logins logins(UserDirectory users) {
        return new DirectoryLogins(users);
    }
}
