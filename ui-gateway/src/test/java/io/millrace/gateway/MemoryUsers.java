package io.millrace.gateway;

import io.millrace.metakv.MetakvClient;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Users in memory, none at first, in the place of those in MetaKV. */
@TestConfiguration(proxyBeanMethods = false)
public class MemoryUsers {

    @Bean(initMethod = "start", destroyMethod = "close")
    @Primary
    UserDirectory memory() {
        return new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    }
}
