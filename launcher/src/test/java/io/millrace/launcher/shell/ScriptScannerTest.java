package io.millrace.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.shell.ScriptScanner.Piece;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptScannerTest {

    @Test
    void script_isSplitAtSemicolons_withTheLinesOfItsStatements() {
        List<Piece> pieces = ScriptScanner.pieces("""
            -- the first
            SELECT 1;

            /* the
               second; */ SELECT
              2 -- ;
              ; SELECT 3;;
            \\x
            SELECT 4\
            """);

        assertThat(pieces)
                .containsExactly(
                        new Piece("SELECT 1", 2),
                        new Piece("SELECT\n  2 -- ;", 5),
                        new Piece("SELECT 3", 7),
                        new Piece("\\x", 8),
                        new Piece("SELECT 4", 9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ';'",
                "SELECT \";\"",
                "SELECT `a;b` FROM `x;y`",
                "SELECT 'it''s; \\'; \\\\', \"a\"\";\"",
                "SELECT /* ; */ 1",
                "SELECT 1 # ; rest",
                "SELECT `a\\`, ';'",
                "SELECT 'first\nsecond;\nthird'",
                "SELECT '-- ;', '/* ;', 1 - -1, 4 / 2 * 3",
                "SELECT 'a\\'",
                "SELECT \\ 1"
            })
    void semicolon_inAStringNameOrComment_doesNotEndTheStatement(String statement) {
        assertThat(ScriptScanner.pieces(statement)).containsExactly(new Piece(statement, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1", "SELECT 1; SELECT", "SELECT ';", "/* a", "SELECT 1 -- ;", "SELECT `;\n;"})
    void statement_withoutItsSemicolon_isUnfinished(String text) {
        assertThat(ScriptScanner.isUnfinished(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "  ", "SELECT 1;", "SELECT 1; -- done", "SELECT\n1\n;", "\\d", " \\f csv", "-- a", "/* a */"
            })
    void completeText_isNotUnfinished(String text) {
        assertThat(ScriptScanner.isUnfinished(text)).isFalse();
    }

    @Test
    void commentsOnly_areNoStatement() {
        assertThat(ScriptScanner.pieces("-- a\n/* b; */ ;\n# c")).isEmpty();
    }
}
