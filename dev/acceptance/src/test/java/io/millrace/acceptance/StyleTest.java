package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Habits that a reviewer would otherwise have to ask for; words are held by {@link WordsTest}. */
class StyleTest {

    private static final int LONGEST_METHOD_LINES = 70;
    private static final int LONGEST_FILE_LINES = 500;
    private static final int MOST_CLASSES_IN_A_PACKAGE = 25;

    /** Code waits for conditions. These files pause for a fixed time instead, each for the reason given. */
    private static final Map<String, String> MAY_SLEEP = Map.of(
            "GuardTicker.java", "the tick of the guard that ends late invocations",
            "Pipeline.java", "the pause before the last checkpoint is tried again",
            "Time.java", "the pause before a write is repeated; tests inject a time of their own");

    /** A pause that doubles: resilience4j's interval functions do that, with jitter. */
    private static final Pattern HAND_WRITTEN_BACK_OFF =
            Pattern.compile("(?i)(pause|wait|delay|backoff)\\w*(\\(\\))?\\s*(\\*=?\\s*2\\b|<<|\\.multipliedBy\\(2\\))");

    /** Calls of Redis functions and scripts, which {@code libs/redis} alone makes. */
    private static final Pattern CALL_OF_SCRIPT =
            Pattern.compile("\\.(fcall|fcallReadOnly|functionLoad|evalsha|scriptLoad)\\(");

    private static final Set<String> SHAPELESS_PACKAGES =
            Set.of("util", "utils", "common", "helper", "helpers", "misc");
    /** They read conformance data that is not part of the repository, if it is there. */
    private static final Set<String> MAY_LACK_THEIR_DATA = Set.of(
            "ConformanceTest.java",
            "LoadIT.java",
            "SubdocContract.java",
            "TravelReadsTest.java",
            "TravelSampleTest.java");

    private static final Set<String> SKIPPING = Set.of(
            "Disabled", "DisabledIf", "EnabledIf", "DisabledOnOs", "EnabledOnOs", "EnabledIfEnvironmentVariable");
    private static final Pattern TEST_CLASS = Pattern.compile(".*(Test|IT|Contract|Benchmark)");

    private static final List<JavaSource> SOURCES = JavaSource.parse(Repository.files(".java"));

    @Test
    void sources_areFound() {
        assertThat(SOURCES).hasSizeGreaterThan(100);
    }

    @Test
    void methods_areShort() {
        List<String> tooLong = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            source.scan(new TreePathScanner<Void, Void>() {
                @Override
                public Void visitMethod(MethodTree method, Void nothing) {
                    if (method.getBody() != null && source.lines(method) > LONGEST_METHOD_LINES) {
                        tooLong.add(Repository.name(source.path()) + ":" + source.lineOf(method) + " "
                                + method.getName() + " has " + source.lines(method) + " lines");
                    }
                    return super.visitMethod(method, nothing);
                }
            });
        }

        assertThat(tooLong).as("methods over %d lines", LONGEST_METHOD_LINES).isEmpty();
    }

    @Test
    void files_areShort() {
        assertThat(SOURCES)
                .as("files over %d lines", LONGEST_FILE_LINES)
                .filteredOn(source -> Repository.read(source.path()).lines().count() > LONGEST_FILE_LINES)
                .extracting(source -> Repository.name(source.path()))
                .isEmpty();
    }

    @Test
    void packages_areNamedAfterWhatTheyDo() {
        assertThat(SOURCES)
                .filteredOn(source -> packageSegments(source).stream().anyMatch(SHAPELESS_PACKAGES::contains))
                .extracting(source -> Repository.name(source.path()))
                .isEmpty();
    }

    @Test
    void types_areNotNamedAfterBeingAnImplementation() {
        assertThat(SOURCES)
                .extracting(source -> source.path().getFileName().toString())
                .noneMatch(name -> name.endsWith("Impl.java"));
    }

    @Test
    void everyPackage_saysWhatIsInsideAndIsNullMarked() {
        List<String> missing = new ArrayList<>();
        Set<Path> directories = new HashSet<>();
        SOURCES.stream()
                .filter(source -> !source.isTest())
                .forEach(source -> directories.add(source.path().getParent()));
        for (Path directory : directories) {
            Path info = directory.resolve("package-info.java");
            String text = Files.exists(info) ? Repository.read(info) : "";
            if (!text.contains("@NullMarked") || !text.startsWith("/**")) {
                missing.add(Repository.name(info));
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void packages_areSmall() {
        Map<Path, Long> classes = SOURCES.stream()
                .filter(source -> !source.isTest())
                .filter(source -> !source.path().endsWith("package-info.java"))
                .collect(Collectors.groupingBy(source -> source.path().getParent(), Collectors.counting()));

        assertThat(classes)
                .as("packages with more than %d classes", MOST_CLASSES_IN_A_PACKAGE)
                .allSatisfy((directory, count) -> assertThat(count)
                        .as(Repository.name(directory))
                        .isLessThanOrEqualTo(MOST_CLASSES_IN_A_PACKAGE));
    }

    @Test
    void pausesBetweenAttempts_areThoseOfTheLibrary() {
        assertThat(linesOfMainSources(HAND_WRITTEN_BACK_OFF, source -> true))
                .as("pauses that double without jitter; use io.github.resilience4j.core.IntervalFunction")
                .isEmpty();
    }

    @Test
    void redisFunctions_areCalledThroughTheirLibrary() {
        assertThat(linesOfMainSources(CALL_OF_SCRIPT, source -> !isIn(source, "libs/redis/")))
                .as("Redis functions called without io.millrace.redis")
                .isEmpty();
    }

    @Test
    void problemDetails_areMadeByTheirLibrary() {
        Pattern made = Pattern.compile("ProblemDetail\\.for|application/problem\\+json");

        assertThat(linesOfMainSources(made, source -> !isIn(source, "libs/problem-details/")))
                .as("error bodies made without io.millrace.problemdetails")
                .isEmpty();
    }

    @Test
    void json_isScannedByOneLibrary() {
        Pattern scanner =
                Pattern.compile("(class|record) (MalformedJson|Json(Scan|Scanner|Cursor|Tokenizer|Reader))\\b");

        assertThat(linesOfMainSources(scanner, source -> !isIn(source, "libs/json/")))
                .as("JSON scanners outside io.millrace.json")
                .isEmpty();
    }

    @Test
    void methods_doNotSleep() {
        List<String> sleepers = new ArrayList<>();
        Set<String> unusedExemptions = new HashSet<>(MAY_SLEEP.keySet());
        for (JavaSource source : SOURCES) {
            source.scan(new TreePathScanner<Void, Void>() {
                @Override
                public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                    String method = call.getMethodSelect().toString();
                    if (method.endsWith("Thread.sleep") || method.matches(".*(SECONDS|MINUTES)\\.sleep")) {
                        String file = source.path().getFileName().toString();
                        unusedExemptions.remove(file);
                        if (source.isTest() || !MAY_SLEEP.containsKey(file)) {
                            sleepers.add(Repository.name(source.path()) + ":" + source.lineOf(call));
                        }
                    }
                    return super.visitMethodInvocation(call, nothing);
                }
            });
        }

        assertThat(sleepers).isEmpty();
        assertThat(unusedExemptions).as("exemptions that no file needs").isEmpty();
    }

    @Test
    void noTest_isSkipped() {
        List<String> skipped = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            source.scan(new TreePathScanner<Void, Void>() {
                @Override
                public Void visitAnnotation(AnnotationTree annotation, Void nothing) {
                    if (SKIPPING.contains(annotation.getAnnotationType().toString())) {
                        skipped.add(Repository.name(source.path()) + ":" + source.lineOf(annotation));
                    }
                    return super.visitAnnotation(annotation, nothing);
                }

                @Override
                public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                    String method = call.getMethodSelect().toString();
                    if (!MAY_LACK_THEIR_DATA.contains(
                                    source.path().getFileName().toString())
                            && method.matches("(Assumptions\\.)?assum(eTrue|eFalse|ingThat|eThat)")) {
                        skipped.add(Repository.name(source.path()) + ":" + source.lineOf(call));
                    }
                    return super.visitMethodInvocation(call, nothing);
                }
            });
        }

        assertThat(skipped).isEmpty();
    }

    @Test
    void classesWithTests_sayWhichKindTheyAre() {
        List<String> unnamed = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            if (source.isTest() && hasTests(source.unit())) {
                String name = source.path().getFileName().toString().replace(".java", "");
                if (!TEST_CLASS.matcher(name).matches()) {
                    unnamed.add(Repository.name(source.path()));
                }
            }
        }

        assertThat(unnamed)
                .as("test classes that neither surefire (Test) nor failsafe (IT) would run")
                .isEmpty();
    }

    private static List<String> linesOfMainSources(Pattern pattern, Predicate<JavaSource> where) {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            if (source.isTest() || !where.test(source)) {
                continue;
            }
            int number = 0;
            for (String line : Repository.read(source.path()).split("\n")) {
                number++;
                if (pattern.matcher(line).find()) {
                    found.add(Repository.name(source.path()) + ":" + number + " " + line.strip());
                }
            }
        }
        return found;
    }

    private static boolean isIn(JavaSource source, String directory) {
        return Repository.name(source.path()).startsWith(directory);
    }

    private static boolean hasTests(CompilationUnitTree unit) {
        boolean[] found = new boolean[1];
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitAnnotation(AnnotationTree annotation, Void nothing) {
                String name = annotation.getAnnotationType().toString();
                found[0] |= name.equals("Test") || name.equals("ParameterizedTest") || name.equals("TestFactory");
                return null;
            }
        }.scan(unit, null);
        return found[0];
    }

    private static List<String> packageSegments(JavaSource source) {
        return source.unit().getPackageName() == null
                ? List.of()
                : List.of(source.unit().getPackageName().toString().split("\\."));
    }
}
