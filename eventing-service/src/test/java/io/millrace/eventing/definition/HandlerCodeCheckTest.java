package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.handler.Library;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class HandlerCodeCheckTest {

    private final AtomicInteger read = new AtomicInteger();

    private final HandlerCodeCheck check = new HandlerCodeCheck(new NoLibraries(), text -> {
        read.incrementAndGet();
        return HandlerCodeCheck.read(text);
    });

    private static final class NoLibraries implements HandlerCodeCheck.Libraries {

        @Override
        public Optional<Library> find(String id) {
            return Optional.empty();
        }

        @Override
        public String missing(String id) {
            return "no " + id;
        }
    }

    private static FunctionDefinition function(String bucket) {
        return SampleDefinitions.read(SampleDefinitions.json("f")
                .put(
                        "appcode",
                        "function OnUpdate(doc, meta) { DELETE FROM `%s` WHERE p IN (SELECT RAW x FROM prices x); }"
                                .formatted(bucket)));
    }

    private static CodeCheck.Named deletesFrom(String bucket) {
        return new CodeCheck.Named(List.of(Keyspace.of("prices")), List.of(Keyspace.of(bucket)));
    }

    @Test
    void named_readsTheSameCodeOnce() {
        assertThat(check.named(function("one"))).isEqualTo(deletesFrom("one"));
        int once = read.get();

        assertThat(check.named(function("one"))).isEqualTo(deletesFrom("one"));

        assertThat(once).isPositive();
        assertThat(read).hasValue(once);
    }

    private static FunctionDefinition onEvents(String code) {
        ObjectNode json = SampleDefinitions.json("f").put("appcode", code);
        json.putObject("depcfg").put("source_category", "Cart").put("metadata_bucket", "meta");
        return SampleDefinitions.read(json);
    }

    private List<String> mistakes(FunctionDefinition definition) {
        return check.check(definition).stream().map(CodeCheck.Mistake::message).toList();
    }

    @Test
    void codeOfEvents_declaresOnEventAndNothingThatIsNeverCalled() {
        assertThat(mistakes(onEvents("function OnEvent(event, meta) {} function OnRequest(request) {}")))
                .isEmpty();
        assertThat(mistakes(onEvents("function OnRequest(request) {}")))
                .containsExactly(
                        "OnEvent is not declared, but the source is the category Cart of event streams; declare OnEvent(event, meta)");
        assertThat(mistakes(onEvents("function OnEvent(event, meta) {} function OnDelete(meta) {}")))
                .containsExactly(
                        "OnDelete is declared, but the source is a category of event streams; only OnEvent is called for it");
    }

    @Test
    void codeOfMessages_declaresOnMessageAndNothingThatIsNeverCalled() {
        assertThat(mistakes(onMessages("function OnMessage(message, meta) {} function OnRequest(request) {}")))
                .isEmpty();
        assertThat(mistakes(onMessages("function OnRequest(request) {}")))
                .containsExactly(
                        "OnMessage is not declared, but the source is the topic orders; declare OnMessage(message, meta)");
        assertThat(mistakes(onMessages("function OnMessage(message, meta) {} function OnEvent(event, meta) {}")))
                .containsExactly("OnEvent is declared, but the source is a topic; only OnMessage is called for it");
        assertThat(mistakes(onEvents("function OnMessage(message, meta) {} function OnEvent(event, meta) {}")))
                .containsExactly(
                        "OnMessage is declared, but the source is a category of event streams; only OnEvent is called for it");
        assertThat(mistakes(SampleDefinitions.read(SampleDefinitions.json("f")
                        .put("appcode", "function OnUpdate(doc, meta) {} function OnMessage(message, meta) {}"))))
                .singleElement()
                .asString()
                .contains("OnMessage is declared, but the source is a bucket", "source_topic");
    }

    private static FunctionDefinition onMessages(String code) {
        ObjectNode json = SampleDefinitions.json("f").put("appcode", code);
        json.putObject("depcfg").put("source_topic", "orders").put("metadata_bucket", "meta");
        return SampleDefinitions.read(json);
    }

    @Test
    void codeOfDocuments_thatDeclaresOnEvent_isAMistake() {
        ObjectNode json = SampleDefinitions.json("f")
                .put("appcode", "function OnUpdate(doc, meta) {} function OnEvent(event, meta) {}");

        assertThat(mistakes(SampleDefinitions.read(json)))
                .singleElement()
                .asString()
                .contains("OnEvent is declared, but the source is a bucket", "source_category");
    }

    @Test
    void missingLibraries_areMistakesAtTheirPlaces() {
        var mistakes = check.check(SampleDefinitions.read(SampleDefinitions.json("f")
                .put("appcode", "import {a} from 'x@1';\n import 'y@1';\nfunction OnUpdate(doc, meta) {}")));

        assertThat(mistakes)
                .containsExactly(new CodeCheck.Mistake("no x@1", 1, 1), new CodeCheck.Mistake("no y@1", 2, 2));
    }

    @Test
    void named_readsOtherCodeOfTheSameFunction() {
        check.named(function("one"));

        assertThat(check.named(function("two"))).isEqualTo(deletesFrom("two"));
    }
}
