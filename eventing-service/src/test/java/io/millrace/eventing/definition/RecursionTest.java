package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Keyspace;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RecursionTest {

    @Test
    void chain_isAllowed() {
        assertThatCode(() -> check(function("b", "y", "z"), List.of(function("a", "x", "y"))))
                .doesNotThrowAnyException();
    }

    @Test
    void writesToTheOwnSource_areAllowed() {
        assertThatCode(() -> check(function("a", "x", "x"), List.of())).doesNotThrowAnyException();
    }

    @Test
    void oneWriterToASharedSource_isAllowed() {
        assertThatCode(() -> check(function("a", "x", "x"), List.of(function("b", "x", "y"))))
                .doesNotThrowAnyException();
    }

    @Test
    void twoWriteToTheirSharedSource_isRefused() {
        assertThatThrownBy(() -> check(function("a", "x", "x"), List.of(function("b", "x", "x"))))
                .satisfies(refused -> code(refused, ErrorCode.ERR_INTER_FUNCTION_RECURSION))
                .hasMessageContaining("a")
                .hasMessageContaining("b");
    }

    @Test
    void cycleOfTwo_isRefused() {
        assertThatThrownBy(() -> check(function("a", "x", "y"), List.of(function("b", "y", "x"))))
                .satisfies(refused -> code(refused, ErrorCode.ERR_INTER_BUCKET_RECURSION))
                .hasMessageContaining("a -> b -> a");
    }

    @Test
    void cycleOfThree_isRefused() {
        assertThatThrownBy(() -> check(
                        function("a", "x", "y"),
                        List.of(function("c", "z", "x"), function("d", "z", "w"), function("b", "y", "z"))))
                .hasMessageContaining("a -> b -> c -> a");
    }

    @Test
    void cycleThroughAWildcardSource_isRefused() {
        ObjectNode listener = SampleDefinitions.json("b", "y", "x");
        ((ObjectNode) listener.get("depcfg")).put("source_scope", "*").put("source_collection", "*");

        assertThatThrownBy(() -> check(function("a", "x", "y"), List.of(SampleDefinitions.read(listener))))
                .satisfies(refused -> code(refused, ErrorCode.ERR_INTER_BUCKET_RECURSION));
    }

    @Test
    void wildcardDestination_isNotFollowed() {
        ObjectNode writer = SampleDefinitions.json("a", "x", "y");
        ((ObjectNode) writer.at("/depcfg/buckets/0")).put("collection_name", "*");

        assertThatCode(() -> check(SampleDefinitions.read(writer), List.of(function("b", "y", "x"))))
                .doesNotThrowAnyException();
    }

    @Test
    void readOnlyBinding_isNotFollowed() {
        ObjectNode reader = SampleDefinitions.json("a", "x", "y");
        ((ObjectNode) reader.at("/depcfg/buckets/0")).put("access", "r");

        assertThatCode(() -> check(SampleDefinitions.read(reader), List.of(function("b", "y", "x"))))
                .doesNotThrowAnyException();
    }

    @Test
    void earlierVersionOfTheSameFunction_doesNotCount() {
        assertThatCode(() -> check(function("a", "x", "y"), List.of(function("a", "y", "x"))))
                .doesNotThrowAnyException();
    }

    @Test
    void statementsCount() {
        FunctionDefinition queries = function("a", "x", "w");

        assertThatThrownBy(() -> Recursion.check(
                        queries,
                        List.of(function("b", "y", "x")),
                        function -> function == queries ? List.of(Keyspace.of("y")) : List.of()))
                .satisfies(refused -> code(refused, ErrorCode.ERR_INTER_BUCKET_RECURSION))
                .hasMessageContaining("a -> b -> a");
    }

    private static void check(FunctionDefinition candidate, List<FunctionDefinition> deployed) {
        Recursion.check(candidate, deployed, function -> List.of());
    }

    private static void code(Throwable refused, ErrorCode code) {
        if (((FunctionsException) refused).code() != code) {
            throw new AssertionError("expected " + code + " but was " + refused);
        }
    }

    private static FunctionDefinition function(String name, String source, String destination) {
        return SampleDefinitions.read(SampleDefinitions.json(name, source, destination));
    }
}
