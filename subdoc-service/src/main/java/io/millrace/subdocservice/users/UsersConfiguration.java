package io.millrace.subdocservice.users;

import io.millrace.metakv.MetakvClient;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(UsersSettings.class)
class UsersConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(UsersConfiguration.class);

    /** For users only: their entries contain password keys. */
    @Bean
    @ConditionalOnMissingBean
    MetakvClient metakvClient(@Value("${millrace.metakv.url}") URI url) {
        return MetakvClient.httpForSecrets(url, "subdoc-service");
    }

    /** The generated password is logged once and stored nowhere. */
    @Bean(initMethod = "start", destroyMethod = "close")
    UserStore logins(MetakvClient metakv, UsersSettings settings) {
        return new UserStore(
                metakv,
                settings,
                password ->
                        LOG.warn("event=administrator_created name={} password={}", settings.adminName(), password));
    }
}
