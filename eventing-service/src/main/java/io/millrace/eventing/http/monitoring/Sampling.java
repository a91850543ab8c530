package io.millrace.eventing.http.monitoring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Samples the metrics at regular intervals. */
final class Sampling implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Sampling.class);

    private final FunctionMetrics metrics;
    private final Duration every;
    private @Nullable Disposable ticks;

    Sampling(FunctionMetrics metrics, Duration every) {
        this.metrics = metrics;
        this.every = every;
    }

    @Override
    public synchronized void start() {
        ticks = Flux.interval(every).onBackpressureDrop().subscribe(tick -> {
            try {
                metrics.sample();
            } catch (RuntimeException failure) {
                LOG.warn("event=metrics_not_sampled reason=\"{}\"", failure.toString());
            }
        });
    }

    @Override
    public synchronized void stop() {
        if (ticks != null) {
            ticks.dispose();
            ticks = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return ticks != null;
    }
}
