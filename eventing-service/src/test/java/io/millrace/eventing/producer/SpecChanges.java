package io.millrace.eventing.producer;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.workerprotocol.HandlerSettings;
import java.time.Duration;

/** A changed copy of a spec in the making. */
final class SpecChanges {
    private final FunctionSpec spec;
    private FunctionSpec.Source source;
    private String code;
    private FunctionSpec.Workers workers;
    private FunctionSpec.Limits limits;
    private FunctionSpec.Language language;
    private HandlerSettings handler;

    SpecChanges(FunctionSpec spec) {
        this.spec = spec;
        this.source = spec.source();
        this.code = spec.code();
        this.workers = spec.workers();
        this.limits = spec.limits();
        this.language = spec.language();
        this.handler = spec.handler();
    }

    SpecChanges source(Keyspace other) {
        source = new FunctionSpec.Source(other, source.boundary(), source.filter());
        return this;
    }

    SpecChanges code(String other) {
        code = other;
        return this;
    }

    SpecChanges boundary(FeedBoundary other) {
        source = new FunctionSpec.Source(source.keyspace(), other, source.filter());
        return this;
    }

    SpecChanges filter(String other) {
        source = new FunctionSpec.Source(source.keyspace(), source.boundary(), other);
        return this;
    }

    SpecChanges size(int workerCount, int threadsPerWorker) {
        workers = new FunctionSpec.Workers(workerCount, threadsPerWorker, workers.placement());
        return this;
    }

    SpecChanges timeout(Duration other) {
        limits = new FunctionSpec.Limits(other, limits.allocationBytes(), limits.hops());
        return this;
    }

    SpecChanges language(String other) {
        language = new FunctionSpec.Language(other, language.headers(), language.footers(), language.strictDocuments());
        return this;
    }

    SpecChanges timers(HandlerSettings.TimerSettings others) {
        handler = handler.withTimers(others);
        return this;
    }

    FunctionSpec spec() {
        return new FunctionSpec(
                spec.identity(),
                code,
                language,
                source,
                spec.metadata(),
                workers,
                limits,
                spec.checkpointInterval(),
                spec.logLevel(),
                spec.aliases(),
                handler,
                spec.handling());
    }
}
