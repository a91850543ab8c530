package io.millrace.handler;

import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.EcmaCases.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To code, a document is what JSON.parse makes of its text, whatever it does with it. */
class EcmaOperationsTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void document_behavesAsWhatJsonParseMakes(boolean strict) {
        var cases = strict ? EcmaCases.every(4) : EcmaCases.all();

        assertThat(differences(strict, cases, EcmaCases.DOCUMENT)).isEmpty();
        assertThat(cases).hasSizeGreaterThan(400);
    }

    @Test
    void difference_isFound() {
        var cases = Stream.of("return v.n", "return v.x", "v.list.push(1)", "return Object.keys(v)")
                .map(body -> new Case("v", body))
                .toList();
        String other = EcmaCases.DOCUMENT.replace("42", "43").replace("\"x\":1,", "\"xx\":1,");

        assertThat(differences(false, cases, other)).hasSize(cases.size());
    }

    @Test
    void cases_callEveryFunctionOfTheEngine() {
        var fixture = new Fixture();
        var names = String.join(", ", EcmaCases.functions().keySet());

        var missing = fixture.logged("for (const o of [" + names + "]) log(Object.getOwnPropertyNames(o));");

        var listed = List.copyOf(EcmaCases.functions().values());
        for (int i = 0; i < listed.size(); i++) {
            Set<String> known = new TreeSet<>(listed.get(i).keySet());
            known.addAll(NO_FUNCTIONS);
            assertThat(namesIn(missing.get(i))).isSubsetOf(known);
        }
    }

    /** What these objects have besides functions. */
    private static final Set<String> NO_FUNCTIONS = Set.of("length", "name", "prototype", "__proto__");

    private static Set<String> namesIn(String line) {
        return Arrays.stream(line.substring(1, line.length() - 1).split(","))
                .map(name -> name.substring(1, name.length() - 1))
                .collect(Collectors.toSet());
    }

    private static List<String> differences(boolean strict, List<Case> cases, String expected) {
        var fixture = new Fixture()
                .strict(strict)
                .timeout(Duration.ofMinutes(5))
                .headers(EcmaCode.headers(0).toArray(String[]::new));
        fixture.host.put("b", "sample", EcmaCases.DOCUMENT);
        fixture.host.put("b", "expected", EcmaCode.expected(expected));
        return fixture.with(EcmaCode.of(cases, "run"), thread -> {
            var differences = new ArrayList<String>();
            for (int begin = 0; begin < cases.size(); begin += EcmaCode.STEP) {
                fixture.host.lines.clear();
                var meta = new EventMeta("", "", "", "", 0, begin, 0, 0, 0, false);
                assertThat(thread.onUpdate(meta, utf8("{}"), null)).isInstanceOf(InvocationResult.Success.class);
                var lines = fixture.host.lines;
                int end = Math.min(begin + EcmaCode.STEP, cases.size());
                assertThat(lines.getLast()).isEqualTo("INFO \"cases\" " + end);
                differences.addAll(lines.subList(0, lines.size() - 1));
            }
            return differences;
        });
    }
}
