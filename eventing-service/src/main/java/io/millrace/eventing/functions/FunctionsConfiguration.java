package io.millrace.eventing.functions;

import io.millrace.accessspring.Authenticator.MetricsLogins;
import io.millrace.documents.DocumentStore;
import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.configuration.MetakvCalls;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.HandlerCodeCheck;
import io.millrace.eventing.libraries.FunctionLibraries;
import io.millrace.eventing.libraries.LibraryStore;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.secrets.SecretStore;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.UserDirectory;
import io.millrace.workerprotocol.KafkaClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Assembles this package on top of MetaKV, the document store and a {@link FunctionRuntime}. */
@Configuration(proxyBeanMethods = false)
class FunctionsConfiguration {

    @Bean(destroyMethod = "close")
    FunctionLogs functionLogs(@Value("${millrace.log-dir}") Path directory) {
        // a separate folder, because a function may have the name of a service
        return new FunctionLogs(directory.resolve("functions"));
    }

    @Bean(destroyMethod = "close")
    HandlerCodeCheck codeCheck(LibraryStore libraries) {
        return new HandlerCodeCheck(libraries);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    LibraryStore libraryStore(MetakvClient metakv, InstantSource clock) {
        return new LibraryStore(metakv, clock);
    }

    @Bean
    FunctionLibraries functionLibraries(LibraryStore libraries, FunctionStore functions, HandlerCodeCheck codeCheck) {
        return new FunctionLibraries(
                libraries,
                () -> functions.all().stream()
                        .flatMap(StoredFunction::definitions)
                        .toList(),
                codeCheck);
    }

    @Bean(destroyMethod = "close")
    FunctionStore functionStore(MetakvClient metakv, ConfigStore config, ClusterNode cluster) {
        return new FunctionStore(
                metakv,
                new RebalanceGuard(
                        () -> RebalanceProgress.known(cluster, MetakvCalls.PATIENCE)
                                .rebalancing(),
                        config));
    }

    @Bean(destroyMethod = "close")
    ConfigStore configStore(MetakvClient metakv) {
        return new ConfigStore(metakv);
    }

    /** Master keys are given as text or, better, in a file; the launcher makes one in the data directory. */
    @Bean(initMethod = "start", destroyMethod = "close")
    SecretStore secretStore(
            MetakvClient metakv,
            @Value("${millrace.secrets.master-key:}") String masterKey,
            @Value("${millrace.secrets.master-key-file:}") String masterKeyFile,
            InstantSource clock)
            throws IOException {
        return SecretStore.on(
                metakv, masterKeyFile.isBlank() ? masterKey : Files.readString(Path.of(masterKeyFile)), clock);
    }

    @Bean
    BindingSecrets bindingSecrets(SecretStore secrets) {
        return new BindingSecrets(secrets);
    }

    /** Follows the users, whose rights functions have. Only metrics take their logins here: the gateway checks the others. */
    @Bean(destroyMethod = "close")
    OwnerRights ownerRights(MetakvClient metakv) {
        UserDirectory users = new UserDirectory(metakv, Clock.systemUTC());
        users.start();
        return new OwnerRights(users);
    }

    @Bean
    MetricsLogins metricsLogins(OwnerRights rights) {
        return new MetricsLogins(rights.users());
    }

    @Bean
    FunctionSecrets functionSecrets(SecretStore secrets, FunctionStore functions) {
        return new FunctionSecrets(secrets, functions);
    }

    @Bean
    DeployCheck deployCheck(
            DocumentStore documents,
            ConfigStore config,
            CodeCheck code,
            BindingSecrets secrets,
            OwnerRights rights,
            @Value("${millrace.kafka.clusters:kafka}") Path clusters) {
        return new DeployCheck(documents::catalog, config, code, secrets, rights, new KafkaClusters(clusters));
    }

    @Bean
    Nodes nodes(ClusterNode cluster, UnfinishedNodes unfinished) {
        return new Nodes(
                cluster.id(),
                () -> cluster.layout().nodes(),
                () -> cluster.nodes().keySet(),
                unfinished,
                cluster::leave);
    }

    @Bean
    Reconciler reconciler(
            FunctionStore store,
            ConfigStore config,
            FunctionRuntime runtime,
            FunctionLogs logs,
            DeployCheck check,
            BindingSecrets secrets,
            InstantSource clock,
            ClusterNode cluster,
            Nodes nodes,
            @Value("${millrace.eventing.deploy-patience:120s}") Duration deployPatience) {
        Reconciler.Timings timings = new Reconciler.Timings(
                deployPatience, Reconciler.Timings.DEFAULT_LOOK, Reconciler.Timings.DEFAULT_STOP_ELSEWHERE);
        Reconciler reconciler = new Reconciler(store, config, runtime, logs, check, secrets, clock, timings, nodes);
        cluster.listen(reconciler::wakeAll);
        return reconciler;
    }

    @Bean
    RebalanceProgress rebalanceProgress(FunctionStore store, FunctionRuntime runtime, ClusterNode cluster) {
        return new RebalanceProgress(store, runtime, cluster);
    }

    @Bean
    Lifecycle lifecycle(FunctionStore store, DeployCheck check, OwnerRights rights, Nodes nodes, InstantSource clock) {
        return new Lifecycle(store, check, rights, nodes, clock);
    }

    @Bean
    Definitions definitions(
            FunctionStore store,
            ConfigStore config,
            CodeCheck codeCheck,
            Lifecycle lifecycle,
            BindingSecrets secrets,
            OwnerRights rights,
            InstantSource clock) {
        return new Definitions(store, config, codeCheck, lifecycle, secrets, rights, clock);
    }

    @Bean
    Versions versions(FunctionStore store, Definitions definitions) {
        return new Versions(store, definitions);
    }

    @Bean
    Canaries canaries(
            FunctionStore store,
            Versions versions,
            CodeCheck codeCheck,
            DeployCheck check,
            OwnerRights rights,
            FunctionRuntime runtime,
            InstantSource clock) {
        return new Canaries(store, versions, codeCheck, check, rights, runtime, clock);
    }

    @Bean
    FunctionTimers functionTimers(FunctionStore store, DocumentStore documents) {
        return new FunctionTimers(
                name -> SpecFactory.spec(store.find(name)
                        .orElseThrow(() -> FunctionsException.notFound(name))
                        .definition()),
                name -> store.find(name).map(StoredFunction::state).orElse(null) instanceof FunctionState.Deployed,
                documents::catalog);
    }

    @Bean
    FunctionLetters functionLetters(
            FunctionStore store,
            ConfigStore config,
            CodeCheck codeCheck,
            BindingSecrets secrets,
            OwnerRights rights,
            Versions versions) {
        return new FunctionLetters(store, config, codeCheck, secrets, rights, versions);
    }

    @Bean
    Status status(FunctionStore store, Reconciler reconciler, FunctionRuntime runtime, ClusterNode cluster) {
        return new Status(
                store,
                reconciler::running,
                reconciler::stopping,
                name -> runtime.notes(name.toString()),
                () -> Math.max(1, cluster.nodes().size()));
    }
}
