package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryPointsTest {
    private final Fixture function = new Fixture();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onUpdate_getsDocumentMetaAndXattrs(boolean strict) {
        var outcome = function.strict(strict)
                .with(
                        "function OnUpdate(doc, meta, xattrs) { log(doc.a, meta, xattrs.x, Array.isArray(doc.a)); }",
                        thread -> thread.onUpdate(meta("k1"), utf8("{\"a\": [1, 2]}"), utf8("{\"x\": true}")));

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines)
                .containsExactly("INFO [1,2] {\"id\":\"k1\",\"cas\":\"18446744073709551614\","
                        + "\"flags\":33554438,\"vb\":517,\"seq\":4398046511104,\"datatype\":\"json\",\"expiration\":0,"
                        + "\"keyspace\":{\"bucket_name\":\"bucket\",\"scope_name\":\"scope\","
                        + "\"collection_name\":\"collection\"}} true true");
    }

    @Test
    void onEvent_getsDataAndMeta_whoseTimeIsADate() {
        var outcome = function.with(
                "function OnEvent(event, meta) { log(event.sku, meta.index, meta.time instanceof Date, meta.time.getTime()) }",
                thread -> thread.onEvent(
                        utf8("{\"sku\": \"pen\"}"), false, utf8("{\"index\": 3, \"time\": \"1970-01-01T00:00:01Z\"}")));

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO \"pen\" 3 true 1000");
    }

    @Test
    void onMessage_getsBytesAsAnArrayBuffer() {
        var outcome = function.with(
                "function OnMessage(message, meta) { log(message instanceof ArrayBuffer, message.byteLength, meta.key) }",
                thread -> thread.onEvent(
                        new byte[3], true, utf8("{\"key\": \"k\", \"time\": \"1970-01-01T00:00:01Z\"}")));

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO true 3 \"k\"");
    }

    @Test
    void onEvent_thatIsNotDeclared_isSkipped() {
        var outcome = function.with(
                "function OnRequest(request) {}", thread -> thread.onEvent(utf8("1"), false, utf8("{\"time\": \"\"}")));

        assertThat(outcome).isInstanceOf(InvocationResult.Skipped.class);
    }

    @Test
    void onUpdate_ofExpiringDocument_getsExpiryDate() {
        var meta = new EventMeta("b", "s", "c", "k", 1, 2, 3, 4, 1_700_000_000, false);

        function.with(
                "function OnUpdate(doc, meta) { log(meta.expiry_date, meta.expiry_date instanceof Date,"
                        + " meta.expiration) }",
                thread -> thread.onUpdate(meta, utf8("1"), null));

        assertThat(function.host.lines).containsExactly("INFO \"2023-11-14T22:13:20.000Z\" true 1700000000");
    }

    @Test
    void meta_ofTheFirstDesign_hasItsExpiry() {
        var meta = new EventMeta("b", "s", "c", "k", 1, 2, 3, 4, 1_700_000_000, false);
        var code = "function OnUpdate(doc, meta) { log(meta.expiry) }";

        new Fixture(function.host).with(code, thread -> thread.onUpdate(meta, utf8("1"), null));
        new Fixture(function.host)
                .language(LanguageCompatibility.V5_0_0)
                .with(code, thread -> thread.onUpdate(meta, utf8("1"), null));

        assertThat(function.host.lines).containsExactly("INFO undefined", "INFO 1700000000");
    }

    @Test
    void onUpdate_withoutXattrs_getsEmptyObject() {
        function.run("log(xattrs)");

        assertThat(function.host.lines).containsExactly("INFO {}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"text\"", "null", "true", "[1]", "-0.5"})
    void onUpdate_receivesDocumentThatIsNotAnObject(String document) {
        function.update("function OnUpdate(doc) { log(doc, typeof doc, doc === null) }", document);
        var strict = new Fixture().strict(true);
        strict.update("function OnUpdate(doc) { log(doc, typeof doc, doc === null) }", document);

        assertThat(function.host.lines).isEqualTo(strict.host.lines).hasSize(1);
    }

    @Test
    void onDelete_getsMetaAndWhetherExpired() {
        function.with("function OnDelete(meta, options) { log(meta.id, options) }", thread -> {
            thread.onDelete(meta("gone"), false);
            return thread.onDelete(meta("late"), true);
        });

        assertThat(function.host.lines)
                .containsExactly("INFO \"gone\" {\"expired\":false}", "INFO \"late\" {\"expired\":true}");
    }

    @Test
    void options_haveTheOldDocumentWhereThereIsOne() {
        function.with("""
            function OnUpdate(doc, meta, xattrs, options) { log(meta.id, options.old, xattrs); }
            function OnDelete(meta, options) { log(meta.id, options.old.n, options.expired); }
            """, thread -> {
            thread.onUpdate(meta("new"), utf8("{}"), null);
            thread.onUpdate(meta("known"), utf8("{}"), null, utf8("{\"n\":1.50}"));
            return thread.onDelete(meta("gone"), true, utf8("{\"n\":7}"));
        });

        assertThat(function.host.lines)
                .containsExactly("INFO \"new\" undefined {}", "INFO \"known\" {\"n\":1.50} {}", "INFO \"gone\" 7 true");
    }

    @Test
    void event_withoutEntryPoint_isSkipped() {
        var skipped = new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);

        assertThat(function.update("function OnDelete() {}", "{}")).isEqualTo(skipped);
        InvocationResult deletion =
                function.with("function OnUpdate() {}", thread -> thread.onDelete(meta("x"), false));
        assertThat(deletion).isEqualTo(skipped);
    }

    @ParameterizedTest
    @EnumSource(LanguageCompatibility.class)
    void binaryDocument_isDeliveredSinceRelease662(LanguageCompatibility language) {
        var meta = new EventMeta("b", "s", "c", "k", 1, 2, 3, 4, 0, true);
        byte[] body = {1, (byte) 0xff, 0};

        var outcome = function.language(language).with("""
            function OnUpdate(doc, meta) {
              log(doc instanceof ArrayBuffer, doc.byteLength, meta.datatype, Array.from(new Uint8Array(doc)));
              new Uint8Array(doc)[0] = 9;
            }\
            """, thread -> thread.onUpdate(meta, body, null));

        if (language.compareTo(LanguageCompatibility.V6_6_2) < 0) {
            assertThat(outcome).isEqualTo(new InvocationResult.Skipped(InvocationResult.Skipped.Cause.BINARY_DOCUMENT));
            assertThat(function.host.lines).isEmpty();
        } else {
            assertThat(function.host.lines).containsExactly("INFO true 3 \"binary\" [1,255,0]");
            assertThat(body).as("the host's bytes").containsExactly(1, 0xff, 0);
        }
    }

    @Test
    void asyncHandler_thatFails_fails() {
        var outcome = function.update("async function OnUpdate(doc) { await null; throw new Error('late'); }", "{}");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).contains("late"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void documentThatIsNotJson_failsTheInvocation(boolean strict) {
        var outcome = function.strict(strict).update("function OnUpdate(doc) { log('never') }", "{\"a\": 01}");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("SyntaxError: "));
        assertThat(function.host.lines).isEmpty();
    }

    @Test
    void thread_calledByAnotherThread_refuses() {
        function.with("function OnUpdate() {}", thread -> {
            assertThatThrownBy(
                            () -> HandlerEngine.onBigStack("other", () -> thread.onUpdate(meta("x"), utf8("{}"), null)))
                    .hasMessageContaining("opened by");
            return thread;
        });
    }
}
