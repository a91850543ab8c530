package io.millrace.eventing.functions;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.applog.FunctionLogs.LogPolicy;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;

/** Converts definitions to the specifications that run. */
final class SpecFactory {

    private SpecFactory() {}

    static LogPolicy logPolicy(FunctionDefinition definition) {
        Settings settings = definition.settings();
        return new LogPolicy(
                settings.text(Setting.APP_LOG_DIR),
                settings.whole(Setting.APP_LOG_MAX_SIZE),
                (int) settings.whole(Setting.APP_LOG_MAX_FILES),
                settings.flag(Setting.ENABLE_APPLOG_ROTATION),
                settings.text(Setting.APP_LOG_FORMAT).equals("json"),
                settings.text(Setting.LOG_LEVEL));
    }

    /** Returns the specification by which a function is found, stopped and removed; its URL bindings have no secrets. */
    static FunctionSpec spec(FunctionDefinition definition) {
        return spec(definition, definition.deployment().curl());
    }

    /**
     * Returns the specification that runs.
     *
     * @throws FunctionsException if a secret cannot be used, with the code ERR_INVALID_CONFIG
     */
    static FunctionSpec spec(FunctionDefinition definition, BindingSecrets secrets) {
        return spec(definition, secrets.revealed(definition));
    }

    private static FunctionSpec spec(FunctionDefinition definition, List<CurlBinding> urls) {
        Settings settings = definition.settings();
        DeploymentConfig deployment = definition.deployment();
        return new FunctionSpec(
                new FunctionSpec.Identity(
                        definition.name().toString(), definition.instanceId(), Long.toString(definition.handlerUuid())),
                definition.code(),
                new FunctionSpec.Language(
                        settings.text(Setting.LANGUAGE_COMPATIBILITY),
                        settings.lines(Setting.HANDLER_HEADERS),
                        settings.lines(Setting.HANDLER_FOOTERS),
                        settings.flag(Setting.STRICT_DOCUMENTS)),
                new FunctionSpec.Source(
                        deployment.source(),
                        settings.text(Setting.DCP_STREAM_BOUNDARY).equals("from_now")
                                ? FeedBoundary.FROM_NOW
                                : FeedBoundary.EVERYTHING),
                deployment.metadata(),
                new FunctionSpec.Workers((int) settings.whole(Setting.WORKER_COUNT), (int)
                        settings.whole(Setting.CPP_WORKER_THREAD_COUNT)),
                new FunctionSpec.Limits(
                        Duration.ofSeconds(settings.whole(Setting.EXECUTION_TIMEOUT)),
                        settings.whole(Setting.ALLOCATION_LIMIT),
                        (int) settings.whole(Setting.HOP_LIMIT)),
                Duration.ofSeconds(settings.whole(Setting.CHECKPOINT_INTERVAL)),
                settings.text(Setting.LOG_LEVEL),
                deployment.buckets().stream()
                        .map(binding -> new WorkerSetup.Alias(
                                binding.alias(),
                                binding.target().bucket(),
                                binding.target().scope(),
                                binding.target().collection(),
                                binding.writable()))
                        .toList(),
                handler(definition, settings, urls),
                handling(settings));
    }

    private static Handling handling(Settings settings) {
        return new Handling(
                (int) settings.whole(Setting.RETRIES),
                Duration.ofMillis(settings.whole(Setting.RETRY_PAUSE)),
                Duration.ofMillis(settings.whole(Setting.RETRY_LONGEST_PAUSE)),
                (int) settings.whole(Setting.DEAD_LETTERS),
                settings.flag(Setting.SKIP_UNCHANGED),
                settings.flag(Setting.BEFORE_IMAGE));
    }

    private static HandlerSettings handler(FunctionDefinition definition, Settings settings, List<CurlBinding> urls) {
        DeploymentConfig deployment = definition.deployment();
        return new HandlerSettings(
                deployment.constants().stream()
                        .map(binding -> new HandlerSettings.Constant(binding.alias(), binding.literal()))
                        .toList(),
                urls.stream().map(SpecFactory::url).toList(),
                settings.whole(Setting.BUCKET_CACHE_SIZE),
                settings.whole(Setting.BUCKET_CACHE_AGE),
                settings.whole(Setting.CURL_MAX_ALLOWED_RESP_SIZE) * 1_000_000,
                HandlerSettings.Access.PUBLIC, // until the node adds what its operator decided
                (int) settings.whole(Setting.LCB_INST_CAPACITY),
                settings.flag(Setting.INSIGHT),
                timers(definition, settings));
    }

    private static HandlerSettings.TimerSettings timers(FunctionDefinition definition, Settings settings) {
        int wanted = (int) settings.whole(Setting.NUM_TIMER_PARTITIONS);
        int rounded = Integer.highestOneBit(wanted) == wanted ? wanted : Integer.highestOneBit(wanted) << 1;
        return new HandlerSettings.TimerSettings(
                definition.deployment().metadata().bucket(),
                1, // until the number of shards of the bucket is known
                Long.toString(definition.handlerUuid()),
                rounded,
                (int) settings.whole(Setting.TIMER_CONTEXT_SIZE),
                (int) settings.whole(Setting.TIMER_ATTEMPTS),
                settings.whole(Setting.TIMER_RETRY_PAUSE),
                traces(definition, settings),
                settings.lines(Setting.SCHEDULES));
    }

    /** Only the first design has document timers; their collection must be known without a document. */
    private static String traces(FunctionDefinition definition, Settings settings) {
        Keyspace source = definition.deployment().source();
        boolean one = !source.scope().equals(FunctionSpec.WILDCARD)
                && !source.collection().equals(FunctionSpec.WILDCARD);
        return one && settings.firstDesign() ? source.scope() + '.' + source.collection() : "";
    }

    private static HandlerSettings.Url url(CurlBinding binding) {
        return new HandlerSettings.Url(
                binding.alias(),
                binding.hostname(),
                binding.authType(),
                binding.username(),
                binding.password().clear(),
                binding.bearerKey().clear(),
                binding.allowCookies(),
                binding.validateSslCertificate());
    }
}
