package io.millrace.launcher.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells the line editor where words are, and that a statement goes on until its semicolon. */
final class ShellParser implements Parser {

    /** A keyword, a name, a path or a command of the shell. */
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_$.`\\\\]+");

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        boolean enter = context == ParseContext.UNSPECIFIED || context == ParseContext.ACCEPT_LINE;
        if (enter && ScriptScanner.isUnfinished(line)) {
            throw new EOFError(-1, -1, "the statement goes on until its semicolon");
        }
        return Words.of(line, cursor);
    }

    private record Words(List<String> words, int wordIndex, int wordCursor, String line, int cursor)
            implements CompletingParsedLine {

        static Words of(String line, int cursor) {
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(line);
            while (word.find() && word.start() <= cursor) {
                words.add(word.group());
                if (cursor <= word.end()) {
                    return new Words(words, words.size() - 1, cursor - word.start(), line, cursor);
                }
            }
            words.add(""); // the cursor is between two words
            return new Words(words, words.size() - 1, 0, line, cursor);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate; // a candidate has its backticks
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word().length();
        }

        @Override
        public String word() {
            return words.get(wordIndex);
        }
    }
}
