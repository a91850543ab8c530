package io.millrace.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between modules and packages, read from the class files of the build. */
class ArchitectureTest {

    private static final Map<String, String> MODULES = ModulePackages.ALL;

    private static final List<String> SERVICES =
            List.of("metakv-service", "subdoc-service", "eventing-service", "ui-gateway");

    /** Asked for every dependency of every class, so it is computed once for each package. */
    private static final Map<String, String> MODULE_OF_PACKAGE = new ConcurrentHashMap<>();

    private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(classDirectories());

    private static List<Path> classDirectories() {
        List<Path> directories = new ArrayList<>();
        for (String module : MODULES.keySet()) {
            directories.add(Repository.module(module).resolve("target/classes"));
        }
        return directories;
    }

    @Test
    void everyModule_hasBeenBuiltAndIsKnownHere() {
        List<String> modules = Repository.modules().stream()
                .map(path -> path.getFileName().toString())
                .filter(name ->
                        !Set.of("acceptance", "browser-tests", "eventing-tests").contains(name))
                .toList();

        assertThat(modules).containsExactlyInAnyOrderElementsOf(MODULES.keySet());
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            boolean built = CLASSES.stream()
                    .anyMatch(type -> (type.getPackageName() + ".").startsWith(module.getValue() + "."));
            assertThat(built).as("classes of %s", module.getKey()).isTrue();
        }
    }

    @Test
    void everyClass_isInItsModulesPackage() {
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            URI classes =
                    Repository.module(module.getKey()).resolve("target/classes").toUri();
            assertThat(CLASSES.stream().filter(type -> isFrom(classes, type)))
                    .as("classes of %s", module.getKey())
                    .isNotEmpty()
                    .allMatch(type -> (type.getPackageName() + ".").startsWith(module.getValue() + "."));
        }
    }

    private static boolean isFrom(URI directory, JavaClass type) {
        return type.getSource()
                .map(source -> source.getUri().getPath().startsWith(directory.getPath()))
                .orElse(false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.millrace.access..",
                "io.millrace.audit..",
                "io.millrace.functionfiles..",
                "io.millrace.json..",
                "io.millrace.redis..",
                "io.millrace.documents",
                "io.millrace.documents.feed..",
                "io.millrace.documents.memory..",
                "io.millrace.documents.notify..",
                "io.millrace.documents.redis..",
                "io.millrace.documents.store..",
                "io.millrace.subdoc..",
                "io.millrace.timers..",
                "io.millrace.traces",
                "io.millrace.streams..",
                "io.millrace.couch..",
                "io.millrace.metakv..",
                "io.millrace.rebalance..",
                "io.millrace.memcached..",
                "io.millrace.handler..",
                "io.millrace.n1ql..",
                "io.millrace.n1qldocuments..",
                "io.millrace.workerprotocol..",
                "io.millrace.launcher..",
                "io.millrace.testkit..",
                "io.millrace.worker..",
            })
    void aLibrary_knowsNoSpring(String library) {
        check(noClasses()
                .that()
                .resideInAPackage(library)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
    }

    @Test
    void services_neverDependOnEachOther() {
        for (String service : SERVICES) {
            for (String other : SERVICES) {
                if (!service.equals(other)) {
                    check(noClasses()
                            .that()
                            .resideInAPackage(MODULES.get(service) + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAPackage(MODULES.get(other) + ".."));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit", "function-files", "http-door", "problem-details", "redis", "traces"})
    void library_dependsOnNoOtherModule(String module) {
        check(noClasses()
                .that()
                .resideInAPackage(Objects.requireNonNull(MODULES.get(module)) + "..")
                .and()
                .resideOutsideOfPackage("io.millrace.traces.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut(module)));
    }

    @Test
    void documents_dependsOnRedisAndTracesAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.documents..")
                .and()
                .resideOutsideOfPackage("io.millrace.documents.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("documents", "redis", "traces")));
    }

    @Test
    void bucketsOfTheSystem_areOpenedByTheirOwnersAlone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.millrace.documents..",
                        "io.millrace.metakvservice.audit",
                        "io.millrace.metakvservice.entries",
                        "io.millrace.metakvservice.streams",
                        "io.millrace.subdocservice.moves") // a move of everything takes them along
                .and()
                .doNotHaveFullyQualifiedName("io.millrace.couch.document.SideStore")
                .and()
                .haveNameNotMatching("io\\.millrace\\.eventing\\.runtime\\.(EventStreams|TopicMessages)")
                .and()
                .haveNameNotMatching("io\\.millrace\\.n1qldocuments\\.Stored(Functions|Sequences)")
                .and()
                .doNotHaveFullyQualifiedName("io.millrace.worker.trial.Overlay") // passes on what it is asked for
                .and()
                .doNotHaveFullyQualifiedName("io.millrace.subdocservice.http.FollowedStore") // as well
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.millrace.documents.SystemHandle"));
    }

    @Test
    void timers_dependsOnRedisAndTracesAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.timers..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("timers", "redis", "traces")));
    }

    @Test
    void memcached_knowsNoStoreAndNoOtherModule() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.memcached..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce.."));
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.memcached..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("memcached")));
    }

    @Test
    void streams_dependsOnDocumentsAndRedisAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.streams..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("streams", "documents", "redis")));
    }

    @Test
    void rebalance_isDecisionsAloneAndKnowsNoOtherModule() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.rebalance..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "io.millrace.rebalance..",
                        "java..",
                        "org.jspecify..",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation.."));
    }

    @Test
    void couch_dependsOnDocumentsAccessAndPatternsAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.couch..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("couch", "documents", "access", "patterns")));
    }

    @Test
    void handler_knowsNoRedisAndNoModuleButJson() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.handler..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty.."));
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.handler..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("handler", "json")));
    }

    @Test
    void json_dependsOnNothing() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.json..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.millrace.json..", "java..", "org.jspecify.."));
    }

    @Test
    void subdoc_dependsOnJsonAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.subdoc..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.millrace.subdoc..", "io.millrace.json..", "java..", "org.jspecify.."));
    }

    @Test
    void n1ql_knowsNoRedisAndNoModuleButJsonAndPatterns() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.n1ql..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty.."));
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.n1ql..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("n1ql", "json", "patterns")));
    }

    @Test
    void n1qlDocuments_joinsDocumentsAndQueries() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.n1qldocuments..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("n1ql-documents", "documents", "n1ql", "access")));
    }

    @Test
    void workerProtocol_dependsOnDocumentsAtMost() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.workerprotocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut("worker-protocol", "documents")));
    }

    @Test
    void access_isPureJava() {
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.access..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.millrace.access..", "java..", "javax.crypto..", "org.jspecify.."));
    }

    @Test
    void gateway_knowsLibrariesForHttpAndMetakvAndFilesOfFunctionsAtMost() {
        String http = "ui-gateway problem-details access access-spring users http-door web-guard";
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.gateway..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOfAllBut((http + " metakv function-files").split(" "))));
    }

    @Test
    void nothingThatShips_dependsOnWhatTestsAndRunsIt() {
        for (String module : MODULES.keySet()) {
            if (!List.of("launcher", "testkit", "benchmarks", "distribution").contains(module)) {
                check(noClasses()
                        .that()
                        .resideInAPackage(MODULES.get(module) + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "io.millrace.launcher..",
                                "io.millrace.testkit..",
                                "io.millrace.benchmarks..",
                                "io.millrace.distribution.."));
            }
        }
    }

    /**
     * http -> functions -> topology and logs -> runtime -> consumer -> metrics; producer -> delivery -> timers ->
     * runtime. The stores are below the runtime, and definitions depend on nothing.
     */
    @ParameterizedTest
    @CsvSource({
        "checkpoint,  deadletter lasthandled metrics consumer definition runtime timers hosts delivery producer topology"
                + " applog functions http",
        "deadletter,  lasthandled metrics consumer definition runtime timers hosts delivery producer topology applog"
                + " functions http",
        "lasthandled, deadletter metrics consumer definition runtime timers hosts delivery producer topology applog"
                + " functions http",
        "kafka,       checkpoint deadletter lasthandled metrics consumer definition runtime timers hosts delivery producer"
                + " topology applog functions http",
        "metrics,     checkpoint deadletter lasthandled consumer definition runtime timers hosts delivery producer topology"
                + " applog functions http",
        "consumer,    checkpoint deadletter lasthandled definition runtime timers hosts delivery producer topology applog"
                + " functions http",
        "definition,  checkpoint deadletter lasthandled metrics consumer runtime timers hosts delivery producer topology"
                + " applog functions http",
        "runtime,     definition timers hosts delivery producer topology applog functions http",
        "timers,      hosts delivery producer topology applog functions http",
        "hosts,       definition runtime timers delivery producer topology applog functions http",
        "delivery,    hosts producer topology applog functions http",
        "producer,    topology applog functions http",
        "topology,    hosts delivery producer applog functions http",
        "applog,      hosts delivery producer functions http",
        "configuration, hosts delivery producer applog functions http",
        "libraries,   hosts delivery producer applog functions http",
        "secrets,     hosts delivery producer applog functions http",
        "functions,   hosts delivery producer http",
    })
    void eventing_packages_knowNothingOfThoseAbove(String lower, String above) {
        String[] packages = Stream.of(above.split(" "))
                .map(name -> "io.millrace.eventing." + name + "..")
                .toArray(String[]::new);
        check(noClasses()
                .that()
                .resideInAPackage("io.millrace.eventing." + lower + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages));
    }

    /**
     * The root package of a library is its API: what lies below is closed to other modules, but for the packages named
     * here.
     */
    private static final Map<String, List<String>> OPEN_PACKAGES = Map.of(
            "documents",
                    List.of(
                            "io.millrace.documents.forwarding",
                            "io.millrace.documents.memory",
                            "io.millrace.documents.notify",
                            "io.millrace.documents.redis"),
            "handler", List.of("io.millrace.handler.host", "io.millrace.handler.requests"),
            "memcached", List.of("io.millrace.memcached.client", "io.millrace.memcached.sasl"),
            "n1ql", List.of("io.millrace.n1ql.keyspace", "io.millrace.n1ql.value"),
            "rebalance", List.of("io.millrace.rebalance.ownership", "io.millrace.rebalance.topology"),
            "streams", List.of("io.millrace.streams.codec", "io.millrace.streams.follow", "io.millrace.streams.store"),
            "timers", List.of("io.millrace.timers.firing", "io.millrace.timers.memory", "io.millrace.timers.redis"));

    @Test
    void insidePackages_ofLibraries_areClosed() {
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            if (!Repository.name(Repository.module(module.getKey())).startsWith("libs/")) {
                continue;
            }
            String root = module.getValue();
            List<String> open = OPEN_PACKAGES.getOrDefault(module.getKey(), List.of());
            check(noClasses()
                    .that(not(belongTo(module.getKey())))
                    .should()
                    .dependOnClassesThat(belongTo(module.getKey())
                            .and(not(resideInAPackage(root)))
                            .and(not(resideInAnyPackage(open.toArray(String[]::new))))
                            .as("are inside %s and not open", module.getKey())));
        }
    }

    @Test
    void openPackages_areUsedByOtherModules() {
        OPEN_PACKAGES.forEach((module, packages) -> packages.forEach(open -> assertThat(CLASSES.stream()
                        .filter(not(belongTo(module)))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .anyMatch(dependency -> resideInAPackage(open).test(dependency.getTargetClass())))
                .as("%s is used outside %s", open, module)
                .isTrue()));
    }

    /** Of the modules whose root packages are prefixes of a class's package, a class belongs to the one with the longest. */
    private static DescribedPredicate<JavaClass> belongTo(String module) {
        return DescribedPredicate.describe(
                "belong to " + module, type -> moduleOf(type).equals(module));
    }

    private static String moduleOf(JavaClass type) {
        return MODULE_OF_PACKAGE.computeIfAbsent(
                type.getPackageName(),
                name -> MODULES.entrySet().stream()
                        .filter(module -> (name + ".").startsWith(module.getValue() + "."))
                        .max(Comparator.comparing(module -> module.getValue().length()))
                        .map(Map.Entry::getKey)
                        .orElse(""));
    }

    @Test
    void packages_ofAModule_haveNoCycles() {
        for (String root : MODULES.values()) {
            check(SlicesRuleDefinition.slices()
                    .matching(root + ".(*)..")
                    .should()
                    .beFreeOfCycles());
        }
    }

    @Test
    void nobody_usesJackson2() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson.databind..", "com.fasterxml.jackson.core.."));
    }

    private static String[] packagesOfAllBut(String... exempt) {
        return MODULES.entrySet().stream()
                .filter(module -> !List.of(exempt).contains(module.getKey()))
                .map(module -> module.getValue() + "..")
                .toArray(String[]::new);
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
