package io.millrace.eventing.producer;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.hosts.DeadConnections;
import io.millrace.eventing.hosts.HostSettings;
import io.millrace.eventing.hosts.WorkerHosts;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.eventing.kafka.KafkaTopics;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.LogSink;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.redis.RedisTls;
import io.millrace.timers.TimerStore;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.redis.RedisTimerStore;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.KafkaClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Assembles the runtime of functions: worker processes, stores in Redis. */
@Configuration(proxyBeanMethods = false)
class RuntimeConfiguration {

    @Bean
    CheckpointStore checkpointStore(RedisAccess redis) {
        return CheckpointStore.onRedis(redis::commands);
    }

    @Bean
    TimerStore timerStore(RedisAccess redis) {
        return new RedisTimerStore(redis::commands);
    }

    @Bean
    DeadLetterStore deadLetterStore(RedisAccess redis, ChangeNotifier notifier) {
        return DeadLetterStore.onRedis(redis::commands, notifier);
    }

    @Bean
    TopicStore topicStore(RedisAccess redis) {
        return TopicStore.onRedis(redis::commands);
    }

    @Bean
    Channels channels(RedisAccess redis) {
        return new Channels(redis::openPubSub);
    }

    @Bean
    LastHandledStore lastHandledStore(RedisAccess redis) {
        return LastHandledStore.onRedis(redis::commands);
    }

    @Bean
    AnswerStore answerStore(RedisAccess redis) {
        return AnswerStore.onRedis(redis::commands, InstantSource.system());
    }

    /** They end after the functions, see {@link OrderlyEnd}. */
    @Bean
    WorkerHosts workerHosts(
            @Value("${millrace.worker-home}") Path home,
            @Value("${millrace.eventing.worker-heap-mib}") int mostHeapMib,
            @Value("${millrace.eventing.worker-optimized:true}") boolean optimized,
            @Value("${millrace.eventing.worker-niceness}") int niceness,
            @Value("${millrace.eventing.worker-processes:0}") int processes,
            @Value("${millrace.eventing.spare-worker-processes:1}") int spares,
            @Value("${millrace.eventing.isolation:shared}") Isolation isolation,
            @Value("${millrace.eventing.share-across-owners:false}") boolean mixing,
            @Value("${millrace.eventing.worker-renewal-age}") Duration renewalAge,
            @Value("${millrace.eventing.worker-renewal-held-percent}") int renewalHeldPercent,
            RedisAccess redis,
            RedisTls tls) {
        int count = processes > 0
                ? processes
                : HostSettings.countFor(Runtime.getRuntime().availableProcessors());
        HostSettings settings = new HostSettings(
                home,
                redis.url(),
                mostHeapMib,
                optimized,
                niceness,
                count,
                spares,
                isolation == Isolation.PROCESS,
                mixing,
                new HostSettings.Renewal(renewalAge, renewalHeldPercent),
                tls.environment());
        return new WorkerHosts(settings, DeadConnections.onRedis(redis::commands));
    }

    /**
     * Starts the first worker process, unless a function has, when the service is ready, and so are those that share its JVM
     * if it does: the process would compete with their start, and with that of functions when it becomes warm.
     */
    @Bean
    ApplicationListener<ApplicationReadyEvent> firstWorkerProcess(
            WorkerHosts hosts,
            SuperSupervisor functions,
            @Qualifier("allServicesReady") Optional<CompletionStage<Void>> allReady) {
        return ready -> {
            hosts.start();
            allReady.orElseGet(() -> CompletableFuture.completedFuture(null))
                    .thenCombine(functions.whenKnown(), (services, known) -> known)
                    .thenRun(hosts::warmUp);
        };
    }

    @Bean
    OrderlyEnd orderlyEnd(SuperSupervisor functions) {
        return new OrderlyEnd(functions);
    }

    @Bean(destroyMethod = "")
    SuperSupervisor superSupervisor(
            @Value("${millrace.node-id}") String node,
            RedisAccess redis,
            @Value("${millrace.curl.allowed:}") List<String> curlAllowed,
            @Value("${millrace.curl.refused:}") List<String> curlRefused,
            @Value("${millrace.sql.allowed:}") List<String> sqlAllowed,
            @Value("${millrace.sql.drivers:drivers}") Path sqlDrivers,
            @Value("${millrace.kafka.clusters:kafka}") Path kafkaClusters,
            DocumentStore documents,
            CheckpointStore checkpoints,
            WorkerHosts workers,
            LogSink log,
            InstantSource clock,
            TimerStore timers,
            ChangeNotifier notifier,
            DeadLetterStore deadLetters,
            LastHandledStore lastHandled,
            Membership membership,
            TraceSampler sampler,
            SpanSink spans,
            TopicStore topics,
            Channels channels) {
        RuntimeEnvironment environment = new RuntimeEnvironment(
                node,
                redis.url(),
                documents,
                checkpoints,
                workers,
                log,
                clock,
                RuntimeSettings.DEFAULT,
                DeliverySettings.DEFAULT,
                new HandlerSettings.Access(
                        curlAllowed,
                        curlRefused,
                        sqlAllowed,
                        sqlDrivers.toAbsolutePath().toString(),
                        kafkaClusters.toAbsolutePath().toString()),
                timers,
                new TimerWatch(
                        timers,
                        clock,
                        (bucket, shard, rung) -> notifier.subscribe(RedisTimerStore.topic(bucket, shard), rung)::close),
                deadLetters,
                lastHandled,
                membership,
                sampler,
                spans,
                topics,
                channels,
                new KafkaTopics(new KafkaClusters(kafkaClusters), "millrace-" + node));
        SuperSupervisor functions =
                new SuperSupervisor(environment, new NodeLeases(node, checkpoints, NodeLeases.LEASE));
        workers.noSpareWhile(() -> functions.crowded() || membership.settling());
        return functions;
    }
}
