package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.TimerCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimersTest {
    private static final String CODE = """
        function OnUpdate(doc, meta) {
          try { %s } catch (e) { log(e instanceof EventingError, e.message); }
        }
        function cb(context, opaque) { log(context === undefined, context, opaque); }
        """;

    private final TimerHost host = new TimerHost();
    private final Fixture function = new Fixture(host);

    private static final class TimerHost extends MemoryHost {
        final List<Object> asked = new ArrayList<>();

        @Override
        public String createTimer(TimerCall timer) {
            asked.add(timer);
            return timer.reference() == null ? "made" : timer.reference();
        }

        @Override
        public boolean cancelTimer(String callback, String reference) {
            asked.add(callback + ":" + reference);
            return reference.equals("there");
        }
    }

    @Test
    void createTimer_returnsItsReference() {
        assertThat(logged("log(createTimer(cb, new Date(5), 'r', {n: 1}), couchbase.createTimer === createTimer)"))
                .containsExactly("INFO \"r\" true");
        assertThat(host.asked).containsExactly(new TimerCall("cb", 5, "r", "{\"n\":1}", TimerCall.NEVER, ""));
    }

    @Test
    void createTimer_withoutReferenceOrContext_hasNone() {
        assertThat(logged("log(createTimer(cb, new Date(-5), null)); createTimer(cb, new Date(6), undefined, null)"))
                .containsExactly("INFO \"made\"");
        assertThat(host.asked)
                .containsExactly(
                        new TimerCall("cb", -5, null, null, TimerCall.NEVER, ""),
                        new TimerCall("cb", 6, null, "null", TimerCall.NEVER, ""));
    }

    @Test
    void createTimer_withTheDocumentInItsContext_keepsIt() {
        logged("createTimer(cb, new Date(5), '', {doc: doc})");

        assertThat(((TimerCall) host.asked.getFirst()).context()).isEqualTo("{\"doc\":{\"a\":[1,2.50]}}");
    }

    @Test
    void createTimer_withOptions_passesThemOn() {
        logged("createTimer(cb, new Date(5), 'r', 1, {skip_after: new Date(9), opaque: 'o'})");

        assertThat(host.asked).containsExactly(new TimerCall("cb", 5, "r", "1", 9, "o"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "createTimer(cb, new Date())"
                        + " | createTimer needs atleast 3 arguments - callback function, time, reference",
                "createTimer('cb', new Date(), null) | First argument to createTimer must be a valid global function",
                "createTimer(function () {}, new Date(), null) | Invalid arg: Anonymous function is not allowed",
                "const inner = () => 1; createTimer(inner, new Date(), null)"
                        + " | First argument to createTimer must be a valid global function",
                "createTimer(cb, 5, null) | Second argument to createTimer must be a Date object instance",
                "createTimer(cb, {getTime: () => 5}, null)"
                        + " | Second argument to createTimer must be a Date object instance",
                "createTimer(cb, new Date('x'), null) | Unable to compute epoch for the given Date instance",
                "createTimer(cb, new Date(), 5)"
                        + " | Third argument to createTimer must be a string (or null to generate an ID)",
                "cancelTimer(cb) | cancelTimer needs 2 arguments - callback function, reference",
                "cancelTimer(5, 'r') | First argument to cancelTimer must be a valid global function",
                "cancelTimer(cb, null) | Second argument to cancelTimer must be a string",
            })
    void wrongArguments_areRefusedInTheProductsWords(String call, String message) {
        assertThat(logged(call)).containsExactly("INFO true \"" + message + "\"");
        assertThat(host.asked).isEmpty();
    }

    @Test
    void cancelTimer_saysWhetherThereWasOne() {
        assertThat(logged("log(cancelTimer(cb, 'there'), cancelTimer(cb, 'gone'))"))
                .containsExactly("INFO true false");
        assertThat(host.asked).containsExactly("cb:there", "cb:gone");
    }

    @Test
    void onTimer_callsTheCallbackWithItsContext() {
        function.with(CODE.formatted(""), thread -> {
            assertThat(thread.onTimer("cb", "{\"n\":[1]}".getBytes(StandardCharsets.UTF_8), ""))
                    .isInstanceOf(InvocationResult.Success.class);
            assertThat(thread.onTimer("cb", null, "stale")).isInstanceOf(InvocationResult.Success.class);
            return thread.onTimer("cb", "null".getBytes(StandardCharsets.UTF_8), "");
        });

        assertThat(host.lines)
                .containsExactly(
                        "INFO false {\"n\":[1]} undefined",
                        "INFO true undefined \"stale\"",
                        "INFO false null undefined");
    }

    @Test
    void onTimer_withoutItsCallback_isSkipped() {
        InvocationResult outcome = function.with(CODE.formatted(""), thread -> thread.onTimer("gone", null, ""));

        assertThat(outcome).isInstanceOf(InvocationResult.Skipped.class);
    }

    @Test
    void onTimer_thatThrows_saysWhere() {
        InvocationResult outcome = function.with(
                "function OnUpdate(doc, meta) {}\nfunction cb() { throw new Error('no'); }",
                thread -> thread.onTimer("cb", null, ""));

        assertThat(outcome).isInstanceOfSatisfying(InvocationResult.Threw.class, threw -> {
            assertThat(threw.message()).contains("no");
            assertThat(threw.line()).isEqualTo(2);
        });
    }

    @Test
    void timersOfTheFirstDesign_areThereWhenAskedFor() {
        assertThat(logged("log(typeof docTimer, typeof nonDocTimer)"))
                .containsExactly("INFO \"undefined\" \"undefined\"");

        function.language(LanguageCompatibility.V5_0_0);
        logged("docTimer(cb, meta.docid, 7); docTimer(cb, 'd', new Date(8000), 'o'); nonDocTimer(cb, 9)");

        assertThat(host.asked)
                .containsExactly(
                        new TimerCall("cb", 7000, "id", "\"id\"", TimerCall.NEVER, "", true),
                        new TimerCall("cb", 8000, "d", "\"d\"", TimerCall.NEVER, "o", true),
                        new TimerCall("cb", 9000, null, null, TimerCall.NEVER, ""));
    }

    private List<String> logged(String body) {
        host.lines.clear();
        var meta = new EventMeta("bucket", "_default", "_default", "id", 1, 2, 3, 0, 0, false);
        byte[] document = "{\"a\":[1,2.50]}".getBytes(StandardCharsets.UTF_8);
        InvocationResult outcome = function.with(CODE.formatted(body), thread -> thread.onUpdate(meta, document, null));
        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        return List.copyOf(host.lines);
    }
}
