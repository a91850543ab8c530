package io.millrace.metakvservice;

import io.millrace.accessspring.Authenticator.MetricsLogins;
import io.millrace.metakvservice.entries.OwnEntries;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The users who read the metrics of this service; all else answers to services alone. */
@Configuration(proxyBeanMethods = false)
class MetakvUsers implements DisposableBean {

    private final UserDirectory users;

    MetakvUsers(OwnEntries entries) {
        users = new UserDirectory(entries, Clock.systemUTC());
    }

    @Bean
    MetricsLogins metricsLogins() {
        users.start();
        return new MetricsLogins(users);
    }

    @Override
    public void destroy() {
        users.close();
    }
}
