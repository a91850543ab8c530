package io.millrace.eventing.functions;

import io.millrace.eventing.configuration.MetakvCalls;
import io.millrace.eventing.definition.Credential;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.SqlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.secrets.SecretException;
import io.millrace.eventing.secrets.SecretStore;
import io.millrace.eventing.secrets.SigningSecrets;
import io.millrace.workerprotocol.HandlerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Turns passwords and keys of bindings into secrets before a definition is stored, and back before a function is
 * started. Methods block and fail with {@link FunctionsException}.
 */
final class BindingSecrets {

    private static final Logger LOG = LoggerFactory.getLogger(BindingSecrets.class);

    private final SecretStore secrets;

    BindingSecrets(SecretStore secrets) {
        this.secrets = secrets;
    }

    /**
     * Returns a definition that a client has sent without its passwords and keys: they become secrets. One that is equal
     * to that of the stored function remains the same secret.
     *
     * @param stored the function as it is, or null
     */
    FunctionDefinition sealed(FunctionDefinition posted, @Nullable FunctionDefinition stored) {
        for (String name : posted.secrets()) {
            if (Credential.secret(name).generated()) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_CONFIG,
                        "'%s' is not the name of a secret that functions can use; names of secrets start with a letter or a digit."
                                .formatted(name));
            }
        }
        return withSecrets(posted, stored == null ? null : stored.deployment());
    }

    private FunctionDefinition withSecrets(FunctionDefinition definition, @Nullable DeploymentConfig stored) {
        DeploymentConfig deployment = definition.deployment();
        if (!open(deployment)) {
            return definition;
        }
        List<CurlBinding> before = stored == null ? List.of() : stored.curl();
        List<CurlBinding> sealed = new ArrayList<>();
        for (CurlBinding binding : deployment.curl()) {
            Optional<CurlBinding> old = before.stream()
                    .filter(one -> one.alias().equals(binding.alias()) && one.sameAccount(binding))
                    .findFirst();
            sealed.add(binding.with(
                    sealed(place(binding), binding.password(), old.map(CurlBinding::password)),
                    sealed(place(binding), binding.bearerKey(), old.map(CurlBinding::bearerKey))));
        }
        List<SqlBinding> databases = deployment.sql().stream()
                .map(binding -> binding.with(sealed(
                        place(binding),
                        binding.password(),
                        sameAccount(binding, stored).map(SqlBinding::password))))
                .toList();
        return definition.withDeployment(deployment.withCurl(sealed).withSql(databases));
    }

    /** Where a credential is sent, and what messages call it. */
    private record Place(String binding, String url) {}

    private static Place place(CurlBinding binding) {
        return new Place("URL binding '%s'".formatted(binding.alias()), binding.hostname());
    }

    private static Place place(SqlBinding binding) {
        return new Place("Database binding '%s'".formatted(binding.alias()), binding.url());
    }

    private static Optional<SqlBinding> sameAccount(SqlBinding binding, @Nullable DeploymentConfig in) {
        return in == null
                ? Optional.empty()
                : in.sql().stream().filter(binding::sameAccount).findFirst();
    }

    private Credential sealed(Place binding, Credential credential, Optional<Credential> old) {
        if (!credential.open()) {
            return credential;
        }
        if (old.isPresent() && old.get().generated() && holds(binding, old.get(), credential.clear())) {
            return old.get();
        }
        return Credential.secret(written(secrets.keep(binding.url(), credential.clear())));
    }

    private boolean holds(Place binding, Credential secret, String value) {
        try {
            return revealed(binding, secret).equals(value);
        } catch (FunctionsException unreadable) {
            return false;
        }
    }

    /** Returns whether a stored definition has passwords or keys in clear, as old versions stored them. */
    boolean migrates(FunctionDefinition stored) {
        if (!open(stored.deployment())) {
            return false;
        }
        if (!secrets.available()) {
            LOG.warn(
                    "event=secrets_in_clear function={} reason=\"no master key: set MILLRACE_MASTER_KEY_FILE\"",
                    stored.name());
        }
        return secrets.available();
    }

    private static boolean open(DeploymentConfig deployment) {
        return deployment.curl().stream()
                        .anyMatch(binding ->
                                binding.password().open() || binding.bearerKey().open())
                || deployment.sql().stream()
                        .anyMatch(binding -> binding.password().open());
    }

    /** Replaces passwords and keys of a stored definition by secrets. */
    void migrate(FunctionStore store, FunctionName name) {
        FunctionDefinition old =
                store.find(name).map(StoredFunction::definition).orElse(null);
        if (old == null) {
            return;
        }
        FunctionDefinition sealed = withSecrets(old, null);
        StoredFunction after = store.change(
                name,
                function -> function == null || !function.definition().equals(old) ? function : function.with(sealed));
        if (after == null || !after.definition().equals(sealed)) {
            forget(sealed, old); // another request was first
        } else {
            LOG.info("event=secrets_migrated function={}", name);
        }
    }

    /** Returns a definition with what its bindings send; fails with ERR_INVALID_CONFIG if a secret cannot be used. */
    FunctionDefinition revealed(FunctionDefinition definition) {
        DeploymentConfig deployment = definition.deployment();
        List<CurlBinding> urls = deployment.curl().stream()
                .map(binding -> binding.with(
                        new Credential(revealed(place(binding), binding.password()), ""),
                        new Credential(revealed(place(binding), binding.bearerKey()), "")))
                .toList();
        List<SqlBinding> databases = deployment.sql().stream()
                .map(binding -> binding.with(new Credential(revealed(place(binding), binding.password()), "")))
                .toList();
        List<TopicBinding> topics = deployment.topics().stream()
                .map(binding -> revealed(binding, deployment))
                .toList();
        return definition.withDeployment(
                deployment.withCurl(urls).withSql(databases).withTopics(topics));
    }

    /** A secret that signs belongs to the server that gets the requests, as those that are sent do. */
    private TopicBinding revealed(TopicBinding binding, DeploymentConfig deployment) {
        if (binding.signing().secret().isEmpty()) {
            return binding;
        }
        String url = deployment.curl().stream()
                .filter(one -> one.alias().equals(binding.url()))
                .map(CurlBinding::hostname)
                .findFirst()
                .orElse("");
        Place place = new Place("Topic binding '%s'".formatted(binding.alias()), url);
        String secret = revealed(place, binding.signing());
        if (!SigningSecrets.isOne(secret)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_CONFIG,
                    "%s: the secret '%s' cannot sign; its value must be %s and the Base64 of %d to %d random bytes."
                            .formatted(
                                    place.binding(),
                                    binding.signing().secret(),
                                    SigningSecrets.PREFIX,
                                    SigningSecrets.MIN_BYTES,
                                    SigningSecrets.MAX_BYTES));
        }
        return binding.with(new Credential(secret, ""));
    }

    /** Returns a definition whose bindings send no passwords and keys, and sign nothing. */
    static FunctionDefinition without(FunctionDefinition definition) {
        DeploymentConfig deployment = definition.deployment();
        return definition.withDeployment(deployment
                .withCurl(deployment.curl().stream()
                        .map(binding -> binding.with(Credential.NONE, Credential.NONE))
                        .toList())
                .withSql(deployment.sql().stream()
                        .map(binding -> binding.with(Credential.NONE))
                        .toList())
                .withTopics(deployment.topics().stream()
                        .map(binding -> binding.with(Credential.NONE))
                        .toList()));
    }

    /**
     * Returns the constants of a function with the values of those that are secrets; fails with ERR_INVALID_CONFIG if a secret
     * cannot be used.
     */
    List<HandlerSettings.Constant> constants(FunctionDefinition definition) {
        Map<String, String> names = definition.settings().secrets().names();
        return definition.constants().stream()
                .map(constant -> new HandlerSettings.Constant(
                        constant.alias(),
                        names.containsKey(constant.alias())
                                ? literal(definition.name(), constant.alias(), names.get(constant.alias()))
                                : constant.literal()))
                .toList();
    }

    private String literal(FunctionName function, String constant, String secret) {
        String value = revealed("Constant '%s' of secrets".formatted(constant), secrets.reveal(secret, function));
        return StoredFunction.JSON.writeValueAsString(value);
    }

    private String revealed(Place binding, Credential credential) {
        if (credential.secret().isEmpty()) {
            return credential.clear();
        }
        return revealed(binding.binding(), secrets.reveal(credential.secret(), binding.url()));
    }

    private static String revealed(String user, Mono<String> secret) {
        try {
            String value = MetakvCalls.read(secret);
            return value == null ? "" : value;
        } catch (SecretException unusable) {
            throw FunctionsException.of(ErrorCode.ERR_INVALID_CONFIG, "%s: %s".formatted(user, unusable.getMessage()));
        }
    }

    private static String written(Mono<String> write) {
        try {
            return String.valueOf(MetakvCalls.write(write));
        } catch (SecretException refused) {
            throw FunctionsException.of(ErrorCode.ERR_INVALID_CONFIG, String.valueOf(refused.getMessage()));
        }
    }

    /**
     * Returns a former definition with the credentials that the present one has for the same accounts: those that were stored
     * for a binding alone are deleted with it. Fails with ERR_INVALID_CONFIG if a binding would lack its credentials.
     */
    FunctionDefinition restored(FunctionDefinition former, FunctionDefinition present) {
        List<CurlBinding> bindings = new ArrayList<>();
        for (CurlBinding binding : former.deployment().curl()) {
            bindings.add(present.deployment().curl().stream()
                    .filter(one -> one.alias().equals(binding.alias()) && one.sameAccount(binding))
                    .findFirst()
                    .map(one -> binding.with(
                            binding.password().generated() ? one.password() : binding.password(),
                            binding.bearerKey().generated() ? one.bearerKey() : binding.bearerKey()))
                    .orElse(binding));
        }
        List<SqlBinding> databases = former.deployment().sql().stream()
                .map(binding -> sameAccount(binding, present.deployment())
                        .filter(one -> binding.password().generated())
                        .map(one -> binding.with(one.password()))
                        .orElse(binding))
                .toList();
        FunctionDefinition restored =
                former.withDeployment(former.deployment().withCurl(bindings).withSql(databases));
        restored.deployment().curl().forEach(binding -> {
            requireCredential(place(binding), binding.password());
            requireCredential(place(binding), binding.bearerKey());
        });
        databases.forEach(binding -> requireCredential(place(binding), binding.password()));
        return restored;
    }

    private void requireCredential(Place binding, Credential credential) {
        try {
            revealed(binding, credential);
        } catch (FunctionsException gone) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_CONFIG,
                    "%s: its password or key is not kept any more; save the function with it instead. (%s)"
                            .formatted(binding.binding(), gone.getMessage()));
        }
    }

    /** Deletes the secrets that only the former definition of a function has. */
    void forget(@Nullable FunctionDefinition before, @Nullable FunctionDefinition after) {
        List<String> old = before == null ? List.of() : before.deployment().secrets();
        if (old.stream().anyMatch(name -> Credential.secret(name).generated())) {
            MetakvCalls.write(secrets.forget(
                    old, after == null ? List.of() : after.deployment().secrets()));
        }
    }
}
