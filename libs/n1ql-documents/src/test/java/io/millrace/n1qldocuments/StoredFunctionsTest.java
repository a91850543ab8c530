package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.FunctionDefinition.Language;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredFunctionsTest {

    private final DocumentStore store = new MemoryDocumentStore(new StoreKit.Clock());
    private final StoredFunctions functions = new StoredFunctions(store);
    private final FunctionDefinition rate = new FunctionDefinition(
            FunctionDefinition.Name.global("rate"), Language.INLINE, List.of("a", "b"), false, "a / b");

    @Test
    void functions_areSeenByEveryOneWhoReadsTheStore() {
        FunctionDefinition scoped = new FunctionDefinition(
                new FunctionDefinition.Name("shop", "eu", "a/b.c `d`"),
                Language.JAVASCRIPT,
                List.of("args"),
                true,
                "args[0]");

        assertThat(functions.put(rate, false)).isTrue();
        assertThat(functions.put(scoped, false)).isTrue();

        StoredFunctions others = new StoredFunctions(store);
        assertThat(others.find(rate.name())).isEqualTo(rate);
        assertThat(others.find(scoped.name())).isEqualTo(scoped);
        assertThat(others.all()).containsExactlyInAnyOrder(rate, scoped);
    }

    @Test
    void putWithoutReplacement_keepsTheOldOne() {
        FunctionDefinition other = new FunctionDefinition(rate.name(), Language.INLINE, List.of(), false, "1");
        functions.put(rate, false);

        assertThat(functions.put(other, false)).isFalse();
        assertThat(functions.find(rate.name())).isEqualTo(rate);
        assertThat(functions.put(other, true)).isTrue();
        assertThat(functions.find(rate.name())).isEqualTo(other);
    }

    @Test
    void beforeTheFirstFunction_nothingIsFound() {
        assertThat(functions.all()).isEmpty();
        assertThat(functions.find(rate.name())).isNull();
        assertThat(functions.drop(rate.name())).isFalse();
    }

    @Test
    void droppedFunctions_areGone() {
        functions.put(rate, false);

        assertThat(functions.drop(rate.name())).isTrue();
        assertThat(functions.drop(rate.name())).isFalse();
        assertThat(functions.find(rate.name())).isNull();
    }

    @Test
    void bucketOfTheFunctions_isNotAmongThoseOfUsers() {
        functions.put(rate, false);

        assertThat(StoreKit.await(store.catalog().list())).isEmpty();
    }
}
