package io.millrace.n1ql.plan.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledIndexTest {

    /** Fields whose names are those of keyspaces and indexes of statements that the engine makes itself. */
    @ParameterizedTest
    @ValueSource(strings = {"d", "i", "a", "orders"})
    void fieldOfAnyName_isIndexed(String name) {
        Statement.CreateIndex create = (Statement.CreateIndex) StatementResolver.resolve(
                StatementParser.parse("CREATE INDEX by_x ON shop(%1$s.x) WHERE %1$s.y = 1".formatted(name))
                        .statement());
        IndexDefinition definition = CompiledIndex.definition(create, "by_x", IndexDefinition.State.ONLINE);
        CompiledIndex index = CompiledIndex.of(definition);

        byte[] body = "{\"x\": 7, \"y\": 2, \"%s\": {\"x\": 5, \"y\": 1}}"
                .formatted(name)
                .getBytes(StandardCharsets.UTF_8);
        var entries = index.of(new StoredDocument("k", body, true, 1, 0, 0));

        assertThat(entries).hasSize(1);
        assertThat(index.read(entries.getFirst()).keys()).hasToString("[5]");
    }
}
