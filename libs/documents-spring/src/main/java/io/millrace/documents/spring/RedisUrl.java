package io.millrace.documents.spring;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets {@code spring.data.redis.url} name a Redis Cluster, as
 * {@code redis-cluster://[[user]:password@]host:port[,host:port...]} or {@code rediss-cluster://...} for TLS: one variable
 * says where data is, whatever kind of Redis that is. Spring Boot gets what it understands of it, the first node's URL and
 * {@code spring.data.redis.cluster.nodes}.
 */
final class RedisUrl implements EnvironmentPostProcessor, Ordered {

    private static final String URL = "spring.data.redis.url";
    private static final String NODES = "spring.data.redis.cluster.nodes";
    private static final Pattern CLUSTER = Pattern.compile("(rediss?)-cluster://([^/?@]*@)?([^/?@]+)(.*)");
    private static final Pattern SINGLE = Pattern.compile("(rediss?)://([^/?@]*@)?([^/?@]+)(.*)");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String url = environment.getProperty(URL);
        Matcher cluster = CLUSTER.matcher(url == null ? "" : url);
        if (cluster.matches()) {
            String nodes = cluster.group(3);
            String first = nodes.substring(0, (nodes + ',').indexOf(','));
            Map<String, Object> understood =
                    Map.of(URL, cluster.group(1) + "://" + user(cluster) + first + cluster.group(4), NODES, nodes);
            environment.getPropertySources().addFirst(new MapPropertySource("redisCluster", understood));
        }
    }

    /** Behind the configuration files. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /** Returns the one URL, that of a cluster included, of what Spring Boot was given. */
    static String of(DataRedisProperties properties) {
        String given = properties.getUrl();
        String url = given == null ? "redis://" + properties.getHost() + ':' + properties.getPort() : given;
        DataRedisProperties.Cluster cluster = properties.getCluster();
        List<String> nodes = cluster == null ? null : cluster.getNodes();
        Matcher single = SINGLE.matcher(url);
        return nodes == null || !single.matches()
                ? url
                : single.group(1) + "-cluster://" + user(single) + String.join(",", nodes) + single.group(4);
    }

    private static String user(Matcher url) {
        String user = url.group(2);
        return user == null ? "" : user;
    }
}
