package io.millrace.eventing.producer;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.LogSink;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.timers.TimerStore;
import io.millrace.timers.redis.RedisTimerStore;
import io.millrace.workerprotocol.HandlerSettings;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Assembles the runtime of functions: workers as processes, stores in Redis. */
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
    DeadLetterStore deadLetterStore(RedisAccess redis) {
        return DeadLetterStore.onRedis(redis::commands);
    }

    @Bean
    LastHandledStore lastHandledStore(RedisAccess redis) {
        return LastHandledStore.onRedis(redis::commands);
    }

    @Bean
    WorkerLauncher workerLauncher(
            @Value("${millrace.worker-home}") Path home,
            @Value("${millrace.eventing.worker-heap-mib}") int mostHeapMib,
            @Value("${millrace.eventing.worker-optimized:true}") boolean optimized) {
        return WorkerLauncher.processes(home, mostHeapMib, optimized);
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
            DocumentStore documents,
            CheckpointStore checkpoints,
            WorkerLauncher workers,
            LogSink log,
            InstantSource clock,
            TimerStore timers,
            DeadLetterStore deadLetters,
            LastHandledStore lastHandled,
            Membership membership) {
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
                new HandlerSettings.Access(curlAllowed, curlRefused),
                timers,
                deadLetters,
                lastHandled,
                membership);
        return new SuperSupervisor(environment, new NodeLeases(node, checkpoints, NodeLeases.LEASE));
    }
}
