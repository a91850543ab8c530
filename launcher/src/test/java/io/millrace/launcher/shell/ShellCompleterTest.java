package io.millrace.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser.ParseContext;
import org.jline.terminal.Terminal;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShellCompleterTest {

    private static final Path GRAMMAR =
            Path.of("..", "libs", "n1ql", "src", "main", "antlr4", "io", "millrace", "n1ql", "grammar", "N1ql.g4");

    private final AtomicLong clock = new AtomicLong();
    private final StandInGateway gateway = new StandInGateway();
    private final Vocabulary vocabulary = new Vocabulary(gateway, clock::get);

    @BeforeEach
    void keyspaces() {
        gateway.answer("SELECT k.", """
            {"results":[{"bucket":"orders","scope":"_default","name":"_default"},
                        {"bucket":"travel-sample","scope":"inventory","name":"key"}]}\
            """);
    }

    /** The words offered at the end of the line, or at {@code |}, that continue what is typed. */
    private List<String> offered(String line) throws IOException {
        int cursor = line.indexOf('|') < 0 ? line.length() : line.indexOf('|');
        var parsed = new ShellParser().parse(line.replace("|", ""), cursor, ParseContext.COMPLETE);
        List<Candidate> candidates = new ArrayList<>();
        try (Terminal terminal =
                ScreenTerminal.withTerminal("test", "xterm", 80, 24).terminal()) {
            LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
            new ShellCompleter(vocabulary).complete(reader, parsed, candidates);
        }
        String typed = parsed.word().substring(0, parsed.wordCursor()).toLowerCase(Locale.ROOT);
        return candidates.stream()
                .map(Candidate::value)
                .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(typed))
                .toList();
    }

    @Test
    void keyword_isCompletedInTheCaseThatIsTyped() throws IOException {
        assertThat(offered("SEL")).containsExactly("SELECT");
        assertThat(offered("explain sel")).containsExactly("select");
    }

    @Test
    void afterFrom_onlyKeyspacesAreOffered_quotedWhereNeeded() throws IOException {
        assertThat(offered("SELECT * FROM ")).containsExactly("`travel-sample`.inventory.`key`", "orders");
        assertThat(offered("SELECT * FROM or| WHERE")).containsExactly("orders");
        assertThat(offered("\\d ord")).containsExactly("orders");
    }

    @Test
    void fieldsOfSeenRows_areOffered_alsoAfterAnAlias() throws IOException {
        vocabulary.learn(StatementRun.MAPPER.readTree("{\"total\":1,\"customer\":{\"to day\":2}}"));

        assertThat(offered("SELECT to")).containsExactly("total");
        assertThat(offered("SELECT o.to")).containsExactly("o.total");
        assertThat(offered("SELECT o.`")).containsExactly("o.`to day`");
    }

    @Test
    void keyspaces_areReadAgainAfterAWhileAndAfterAChange() throws IOException {
        offered("SELECT * FROM ");
        offered("SELECT * FROM ");
        assertThat(gateway.requests).hasSize(1);

        clock.addAndGet(11_000_000_000L);
        offered("SELECT * FROM ");
        assertThat(gateway.requests).hasSize(2);

        vocabulary.keyspacesChanged();
        offered("SELECT * FROM ");
        assertThat(gateway.requests).hasSize(3);
    }

    @Test
    void commandsAndFormats_areOffered() throws IOException {
        assertThat(offered("\\t")).containsExactly("\\timing");
        assertThat(offered("\\f m")).containsExactly("markdown");
    }

    @Test
    void keywords_areThoseOfTheGrammar() throws IOException {
        String grammar = Files.readString(GRAMMAR);

        assertThat(Vocabulary.KEYWORDS)
                .allSatisfy(word -> assertThat(grammar).contains("'" + word.toLowerCase(Locale.ROOT) + "'"));
    }
}
