package io.millrace.subdocservice.kv;

import io.millrace.audit.Audit;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.kv.command.DurableWrites;
import io.millrace.subdocservice.kv.command.KvAudit;
import io.millrace.subdocservice.kv.durability.RedisDurableWrites;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.subdocservice.users.Logins;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({KvSettings.class, KvTlsSettings.class})
class KvConfiguration {

    @Bean(destroyMethod = "close")
    RedisDurableWrites durableWrites(RedisAccess redis, KvSettings settings) {
        return new RedisDurableWrites(redis, settings.replicas());
    }

    @Bean
    KvEndpoint kvEndpoint(
            KvSettings settings,
            KvTlsSettings tls,
            SslBundles certificates,
            ServerProperties http,
            Cluster cluster,
            DocumentStore store,
            SubDocumentExecutor executor,
            InstantSource clock,
            Logins logins,
            DurableWrites durable,
            WriteTraces traces,
            Audit audit,
            ByteBudget budget) {
        return new KvEndpoint(
                settings,
                tls,
                KvTls.of(certificates, logins),
                http,
                cluster,
                store,
                executor,
                clock,
                logins,
                durable,
                traces,
                new KvAudit(audit),
                budget);
    }
}
