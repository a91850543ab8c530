package io.millrace.documents.spring;

import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.tracing.Tracing;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.redis.ClientTuning;
import io.millrace.redis.RedisTls;
import io.millrace.redis.SilenceWatch;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.health.DataRedisHealthContributorAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.health.DataRedisReactiveHealthContributorAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Offers the {@link DocumentStore} on the Redis that {@code spring.data.redis} names. Nothing connects while the
 * application starts; a Redis that is away makes calls fail and health say so, not the start.
 */
@AutoConfiguration(
        after = DataRedisAutoConfiguration.class,
        before = {
            DataRedisHealthContributorAutoConfiguration.class,
            DataRedisReactiveHealthContributorAutoConfiguration.class
        })
@EnableConfigurationProperties(DocumentsProperties.class)
public class DocumentsAutoConfiguration {

    @Bean
    SilenceWatch silenceWatch(DocumentsProperties properties, DataRedisProperties redis) {
        return new SilenceWatch(commandTimeout(properties, redis));
    }

    private static Duration commandTimeout(DocumentsProperties properties, DataRedisProperties redis) {
        return redis.getTimeout() == null ? properties.commandTimeout() : redis.getTimeout();
    }

    /**
     * Sets up connections for many small commands: an observation of each command, which Spring Boot asks for before this, costs
     * a quarter of the samples in a profile of a service.
     */
    @Bean
    ClientResourcesBuilderCustomizer connections(SilenceWatch silence) {
        return resources -> resources
                .tracing(Tracing.disabled())
                .reconnectDelay(ClientTuning.reconnectDelay())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        ClientTuning.consolidateFlushes(channel);
                        silence.guard(channel);
                    }
                });
    }

    @Bean
    LettuceClientConfigurationBuilderCustomizer synchronousTimeout(
            DocumentsProperties properties, DataRedisProperties redis) {
        return configuration -> configuration.commandTimeout(commandTimeout(properties, redis));
    }

    @Bean
    LettuceClientOptionsBuilderCustomizer commandTimeouts(SilenceWatch silence) {
        return options -> options.timeoutOptions(
                TimeoutOptions.builder().timeoutSource(silence).build());
    }

    @Bean
    RedisTls redisTls(
            @Value("${millrace.redis.ca:}") String ca,
            @Value("${millrace.redis.certificate:}") String certificate,
            @Value("${millrace.redis.key:}") String key) {
        return new RedisTls(ca.strip(), certificate.strip(), key.strip());
    }

    @Bean
    LettuceClientOptionsBuilderCustomizer tls(RedisTls tls) {
        return options -> options.sslOptions(tls.options());
    }

    @Bean
    LettuceClientOptionsBuilderCustomizer requestQueue(DocumentsProperties properties) {
        return options -> {
            options.requestQueueSize(properties.requestQueueSize());
            ClientTuning.queueInArray(options);
        };
    }

    @Bean
    LettuceClientOptionsBuilderCustomizer clusterRefresh(DataRedisProperties redis) {
        DataRedisProperties.Lettuce.Cluster.Refresh refresh =
                redis.getLettuce().getCluster().getRefresh();
        ClusterTopologyRefreshOptions.Builder following =
                ClientTuning.clusterRefresh().dynamicRefreshSources(refresh.isDynamicRefreshSources());
        if (refresh.getPeriod() != null) {
            following.enablePeriodicRefresh(refresh.getPeriod());
        }
        return options -> {
            if (options instanceof ClusterClientOptions.Builder cluster) {
                cluster.topologyRefreshOptions(following.build());
            }
        };
    }

    @Bean
    RedisAccess redisAccess(LettuceConnectionFactory factory, DataRedisProperties redis) {
        return new RedisAccess(factory, RedisUrl.of(redis));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(ChangeNotifier.class)
    RedisChangeNotifier notifier(RedisAccess redis) {
        return new RedisChangeNotifier(redis::openPubSub);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(DocumentStore.class)
    RedisDocumentStore documentStore(RedisAccess redis, ChangeNotifier notifier, ObjectProvider<ReadRoom> room) {
        return new RedisDocumentStore(
                redis::commands,
                redis::openAside,
                notifier,
                InstantSource.system(),
                room.getIfAvailable(() -> ReadRoom.UNLIMITED));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBooleanProperty(name = "millrace.documents.expiry-pager", matchIfMissing = true)
    ExpiryPager expiryPager(DocumentStore store, DocumentsProperties properties) {
        return new ExpiryPager(store, properties.expiryInterval());
    }

    @Bean
    @ConditionalOnBean(ExpiryPager.class)
    ApplicationListener<ApplicationReadyEvent> expiryPagerStart(ExpiryPager pager) {
        return ready -> pager.start();
    }

    @Bean
    DurabilityLog durabilityLog(RedisAccess redis) {
        return new DurabilityLog(redis);
    }

    @Bean(destroyMethod = "close")
    ClockWatch clockWatch(RedisAccess redis) {
        return new ClockWatch(redis, InstantSource.system());
    }

    /** In place of Spring's, which waits as long as any command. */
    @Bean
    RedisHealth redisHealthIndicator(RedisAccess redis) {
        return new RedisHealth(redis);
    }

    @Bean
    WritesHealth writesHealthIndicator(RedisAccess redis) {
        return new WritesHealth(redis);
    }

    @Bean
    DurabilityHealth durabilityHealthIndicator(RedisAccess redis) {
        return new DurabilityHealth(redis);
    }
}
