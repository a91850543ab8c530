package io.millrace.eventing.functions;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.applog.FunctionLogs.LogPolicy;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.eventing.definition.DeploymentConfig.SqlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.versions.FunctionOwner;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Converts definitions to the specifications that run. */
final class SpecFactory {

    private SpecFactory() {}

    static LogPolicy logPolicy(StoredFunction function) {
        Settings settings = function.definition().settings();
        return new LogPolicy(
                settings.text(Setting.APP_LOG_DIR).replaceFirst("^/", ""),
                settings.whole(Setting.APP_LOG_MAX_SIZE),
                (int) settings.whole(Setting.APP_LOG_MAX_FILES),
                settings.flag(Setting.ENABLE_APPLOG_ROTATION),
                settings.text(Setting.APP_LOG_FORMAT).equals("json"),
                settings.text(Setting.LOG_LEVEL),
                function.version().number());
    }

    /** Returns the specification by which a function is found, stopped and removed; its bindings have no secrets. */
    static FunctionSpec spec(FunctionDefinition definition) {
        return spec(definition, 0, "", List.of());
    }

    /**
     * Returns the specification that runs: the code reads its secrets.
     *
     * <p>Takes the parameters of {@link #trial}.
     */
    static FunctionSpec spec(
            StoredFunction function, long version, BindingSecrets secrets, List<String> roles, CodeCheck code) {
        return trial(function, version, secrets, roles, code).withConstants(secrets.constants(function.definition()));
    }

    /**
     * Returns the specification of which it is only shown what it would do: the code finds placeholders of its secrets.
     *
     * @param version the number of the version that the definition is
     * @param roles the roles of the owner, with which queries run
     * @param code finds the libraries that the code imports
     * @throws FunctionsException if a secret cannot be used, with the code ERR_INVALID_CONFIG
     */
    static FunctionSpec trial(
            StoredFunction function, long version, BindingSecrets secrets, List<String> roles, CodeCheck code) {
        FunctionDefinition definition = function.definition();
        return spec(secrets.revealed(definition), version, domain(function), roles)
                .withLibraries(code.libraries(definition).stream()
                        .map(library -> new WorkerSetup.Library(library.id(), library.code()))
                        .toList());
    }

    /** Functions share processes only with those of the same owner and function scope. */
    private static String domain(StoredFunction function) {
        FunctionOwner owner = function.owner();
        String by = owner == null ? "" : (owner.external() ? "external " : "local ") + owner.name();
        return "%s/%s.%s"
                .formatted(by, function.name().bucket(), function.name().scope());
    }

    private static FunctionSpec spec(FunctionDefinition definition, long version, String domain, List<String> roles) {
        Settings settings = definition.settings();
        DeploymentConfig deployment = definition.deployment();
        EventSource events = deployment.events();
        return new FunctionSpec(
                new FunctionSpec.Identity(
                        definition.name().toString(),
                        definition.instanceId(),
                        Long.toString(definition.handlerUuid()),
                        version),
                definition.code(),
                new FunctionSpec.Language(
                        settings.text(Setting.LANGUAGE_COMPATIBILITY),
                        settings.lines(Setting.HANDLER_HEADERS),
                        settings.lines(Setting.HANDLER_FOOTERS),
                        settings.flag(Setting.STRICT_DOCUMENTS),
                        settings.typescript()),
                new FunctionSpec.Source(
                        deployment.source(),
                        settings.text(Setting.DCP_STREAM_BOUNDARY).equals("from_now")
                                ? FeedBoundary.FROM_NOW
                                : FeedBoundary.EVERYTHING,
                        settings.text(Setting.FILTER),
                        events == null ? "" : events.category(),
                        events == null ? 0 : events.after(),
                        events == null ? "" : events.topic(),
                        events == null ? "" : events.cluster(),
                        events != null && events.channel()),
                deployment.metadata(),
                new FunctionSpec.Workers(
                        (int) settings.whole(Setting.WORKER_COUNT),
                        (int) settings.whole(Setting.CPP_WORKER_THREAD_COUNT),
                        new Placement(
                                domain,
                                Isolation.valueOf(
                                        settings.text(Setting.ISOLATION).toUpperCase(Locale.ROOT)))),
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
                handler(definition, settings, roles),
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

    private static HandlerSettings handler(FunctionDefinition definition, Settings settings, List<String> roles) {
        return new HandlerSettings(
                definition.constants().stream()
                        .map(binding -> new HandlerSettings.Constant(binding.alias(), binding.literal()))
                        .toList(),
                definition.deployment().curl().stream().map(SpecFactory::url).toList(),
                definition.deployment().sql().stream()
                        .map(SpecFactory::database)
                        .toList(),
                settings.whole(Setting.BUCKET_CACHE_SIZE),
                settings.whole(Setting.BUCKET_CACHE_AGE),
                settings.whole(Setting.CURL_MAX_ALLOWED_RESP_SIZE) * 1_000_000,
                HandlerSettings.Access.PUBLIC, // until the node adds what its operator decided
                (int) settings.whole(Setting.LCB_INST_CAPACITY),
                roles,
                settings.flag(Setting.INSIGHT),
                timers(definition, settings),
                definition.deployment().topics().stream()
                        .map(SpecFactory::topic)
                        .toList());
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

    private static HandlerSettings.Database database(SqlBinding binding) {
        return new HandlerSettings.Database(
                binding.alias(),
                binding.url(),
                binding.username(),
                binding.password().clear(),
                binding.readOnly(),
                binding.mostRows(),
                Duration.ofSeconds(binding.timeoutSeconds()).toMillis(),
                binding.poolSize());
    }

    private static HandlerSettings.Topic topic(TopicBinding binding) {
        return new HandlerSettings.Topic(
                binding.alias(),
                HandlerSettings.Topic.Kind.valueOf(binding.kind().name()),
                binding.cluster(),
                binding.topic(),
                binding.maxLength(),
                binding.url(),
                binding.signing().clear());
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
