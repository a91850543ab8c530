package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that is nested so deeply that parsing it could end the service is refused before it is parsed. */
class NestingTest {

    private static final SyntaxCheck CHECK = new SyntaxCheck();
    private static final int TOO_OFTEN = HandlerLimits.BARE_STATEMENTS + 1;

    @AfterAll
    static void close() {
        CHECK.close();
    }

    private static List<HandlerRejected.Mistake> mistakes(String code) {
        HandlerSpec spec = new HandlerSpec(
                "nested",
                "function OnUpdate(doc) {\n" + code + "\n}",
                List.of(),
                List.of(),
                Duration.ofSeconds(1),
                1 << 30,
                false,
                LanguageCompatibility.V7_2_0,
                List.of());
        return CHECK.check(spec) instanceof HandlerRejected rejected ? rejected.mistakes() : List.of();
    }

    private static List<HandlerRejected.Mistake> ofLibrary(String code) {
        return CHECK.check(new Library("nested@1", code), List.of());
    }

    @Test
    void bracketsThatAreTooDeep_areRefused() {
        String open = "[".repeat(HandlerLimits.OPEN_BRACKETS + 1);

        assertThat(mistakes(open)).singleElement().satisfies(mistake -> {
            assertThat(mistake.message()).contains("2,000 brackets");
            assertThat(mistake.line()).isEqualTo(2);
        });
        assertThat(ofLibrary("export const x = 1;\n" + open))
                .singleElement()
                .isEqualTo(new HandlerRejected.Mistake(
                        "More than 2,000 brackets are open; split the code into functions",
                        2,
                        HandlerLimits.OPEN_BRACKETS + 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if(doc);else ",
                "if(doc){}else ",
                "if(doc)",
                "while (doc) // why\n",
                "for(;;)/* ) */ ",
                "doc = async x=>",
            })
    void statementsInOneAnother_withoutBraces_areRefused(String statement) {
        String code = statement.repeat(TOO_OFTEN) + "if(doc);";

        assertThat(mistakes(code))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake.message()).contains("2,500 times"));
        assertThat(ofLibrary(code))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake.message()).contains("2,500 times"));
    }

    @Test
    void codeThatIsLongOnly_isAccepted() {
        String cases = "if (doc.kind === 'a') { log('a'); }\n";

        assertThat(mistakes(cases.repeat(3 * HandlerLimits.BARE_STATEMENTS))).isEmpty();
        assertThat(mistakes("return " + "[".repeat(500) + "]".repeat(500) + ";"))
                .isEmpty();
        assertThat(mistakes("var elsewhere = 1; asyncs(elsewhere);\n".repeat(TOO_OFTEN)))
                .isEmpty();
    }
}
