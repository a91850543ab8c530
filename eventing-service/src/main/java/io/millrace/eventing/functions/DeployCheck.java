package io.millrace.eventing.functions;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.DeploymentConfig.BucketBinding;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Recursion;
import io.millrace.eventing.definition.ServiceOption;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.KafkaClusters;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The preconditions of deploying and resuming a function. Blocks. */
final class DeployCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Supplier<Catalog> catalog;
    private final ConfigStore config;
    private final CodeCheck code;
    private final BindingSecrets secrets;
    private final OwnerRights rights;
    private final KafkaClusters kafka;

    DeployCheck(
            Supplier<Catalog> catalog,
            ConfigStore config,
            CodeCheck code,
            BindingSecrets secrets,
            OwnerRights rights,
            KafkaClusters kafka) {
        this.catalog = catalog;
        this.config = config;
        this.code = code;
        this.secrets = secrets;
        this.rights = rights;
        this.kafka = kafka;
    }

    /** Fails with ERR_BUCKET_MISSING, ERR_COLLECTION_MISSING, ERR_INVALID_CONFIG, ERR_FORBIDDEN or an error of {@link Recursion}. */
    void check(StoredFunction function, Collection<StoredFunction> all) {
        rights.require(function);
        FunctionDefinition definition = function.definition();
        Set<Keyspace> needed = new LinkedHashSet<>();
        needed.addAll(own(definition.deployment()));
        definition.deployment().buckets().stream().map(BucketBinding::target).forEach(needed::add);
        for (Keyspace keyspace : needed) {
            Optional<FunctionsException> missing = missing(keyspace);
            if (missing.isPresent()) {
                throw missing.get();
            }
        }
        requireClusters(definition);
        secrets.revealed(definition);
        secrets.constants(definition);
        if (!config.current().flag(ServiceOption.ALLOW_INTERBUCKET_RECURSION)) {
            Recursion.check(
                    definition,
                    all.stream()
                            .filter(other -> !(other.state() instanceof FunctionState.Undeployed
                                    || other.state() instanceof FunctionState.Undeploying))
                            .map(StoredFunction::definition)
                            .toList(),
                    other -> code.named(other).changed());
        }
    }

    /**
     * Returns whether the owner of a function may run it still.
     *
     * @param last what was returned for the function last, or null
     */
    OwnerRights.Finding rights(StoredFunction function, OwnerRights.@Nullable Finding last) {
        return rights.find(function, last);
    }

    /** Returns whether it is known what the owner of a function may do. */
    boolean knowsOwner(StoredFunction function) {
        return rights.known(function.owner());
    }

    /** Returns the roles that the queries of a function have. */
    private List<String> roles(StoredFunction function) {
        return rights.roles(function.owner());
    }

    /** What runs for the stored version of a function whose owner has these roles. */
    record Ready(StoredFunction function, List<String> roles, FunctionSpec spec) {}

    /**
     * Returns what runs for the stored version of a function.
     *
     * @param last what was returned for the function last, or null: it is made again only when it may be another one
     */
    Ready spec(StoredFunction function, @Nullable Ready last) {
        List<String> roles = roles(function);
        boolean constant = function.definition().secrets().isEmpty(); // secrets have values of their own
        if (constant
                && last != null
                && last.function() == function
                && last.roles().equals(roles)) {
            return last;
        }
        FunctionSpec made = SpecFactory.spec(function, function.version().number(), secrets, roles, code);
        // what is the same object need not be compared with what runs
        return new Ready(function, roles, last != null && made.equals(last.spec()) ? last.spec() : made);
    }

    /** Returns the keyspaces that must exist; the bucket of event streams is created when it is missed. */
    private static List<Keyspace> own(DeploymentConfig deployment) {
        return deployment.events() == null
                ? List.of(deployment.source(), deployment.metadata())
                : List.of(deployment.metadata());
    }

    /** Fails with ERR_BUCKET_MISSING or ERR_COLLECTION_MISSING if source or metadata do not exist. */
    void requireKeyspaces(FunctionDefinition definition) {
        own(definition.deployment()).stream()
                .flatMap(keyspace -> missing(keyspace).stream())
                .findFirst()
                .ifPresent(missing -> {
                    throw missing;
                });
    }

    /** Fails with ERR_INVALID_CONFIG if a binding names a Kafka cluster that the operator has not named. */
    void requireClusters(FunctionDefinition definition) {
        List<String> wanted = definition.deployment().kafkaClusters();
        if (wanted.isEmpty()) {
            return;
        }
        List<String> known = kafka.names();
        wanted.stream().filter(cluster -> !known.contains(cluster)).findFirst().ifPresent(cluster -> {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_CONFIG,
                    "There is no Kafka cluster '%s'. %s the operator to put %s.properties into MILLRACE_KAFKA_CLUSTERS of each eventing node."
                            .formatted(
                                    cluster,
                                    known.isEmpty()
                                            ? "None is known; ask"
                                            : "Use one of " + String.join(", ", known) + ", or ask",
                                    cluster));
        });
    }

    /** Returns why a function has lost its source or its metadata for good, or nothing, also while that is not known. */
    Optional<String> lost(FunctionDefinition definition) {
        try {
            return own(definition.deployment()).stream()
                    .flatMap(keyspace -> missing(keyspace).stream())
                    .findFirst()
                    .map(FunctionsException::getMessage);
        } catch (FunctionsException unknown) {
            return Optional.empty();
        }
    }

    /** Returns the error for a keyspace that does not exist, or nothing if it exists. */
    private Optional<FunctionsException> missing(Keyspace keyspace) {
        Optional<BucketInfo> bucket = find(keyspace.bucket());
        if (bucket.isEmpty()) {
            return Optional.of(FunctionsException.of(
                    ErrorCode.ERR_BUCKET_MISSING,
                    "Bucket '%s' does not exist. Create it first.".formatted(keyspace.bucket())));
        }
        if (exists(bucket.get(), keyspace)) {
            return Optional.empty();
        }
        return Optional.of(FunctionsException.of(
                ErrorCode.ERR_COLLECTION_MISSING, "Keyspace %s does not exist. Create it first.".formatted(keyspace)));
    }

    private static boolean exists(BucketInfo bucket, Keyspace keyspace) {
        if (keyspace.scope().equals(DeploymentConfig.WILDCARD)) {
            return true;
        }
        return keyspace.collection().equals(DeploymentConfig.WILDCARD)
                ? bucket.scopes().containsKey(keyspace.scope())
                : bucket.has(keyspace);
    }

    private Optional<BucketInfo> find(String bucket) {
        try {
            return catalog.get()
                    .find(bucket)
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof DocumentsException refused
                    && refused.code() == DocumentsException.Code.SYSTEM_BUCKET) {
                throw FunctionsException.of(
                        ErrorCode.ERR_FORBIDDEN,
                        refused.getMessage() + " Functions can neither read nor write it; use another bucket.");
            }
            String reason = failure.getCause() instanceof DocumentsException refused
                    ? String.valueOf(refused.getMessage())
                    : "no answer within " + PATIENCE.toSeconds() + " s";
            throw FunctionsException.of(
                    ErrorCode.INTERNAL_SERVER_ERROR,
                    "The buckets cannot be looked up now: %s. Check that Redis is running, then try again."
                            .formatted(reason));
        }
    }
}
