package io.millrace.documents.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Says once, when the service has started, what a crash of Redis could lose. */
final class DurabilityLog implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(DurabilityLog.class);

    private final RedisAccess redis;

    DurabilityLog(RedisAccess redis) {
        this.redis = redis;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        redis.commands().thenCompose(Durability::read).whenComplete((durability, failure) -> {
            if (failure != null) {
                LOG.warn("event=redis_unavailable cause=\"{}\"", failure.getMessage());
            } else {
                LOG.info(
                        "event=redis_durability appendonly={} appendfsync={} maxmemory_policy={} replicas={} loss=\"{}\"",
                        durability.appendOnly(),
                        durability.sync(),
                        durability.evictionPolicy(),
                        durability.replicas(),
                        durability.loss());
            }
        });
    }
}
