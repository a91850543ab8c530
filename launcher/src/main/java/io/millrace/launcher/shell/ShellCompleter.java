package io.millrace.launcher.shell;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes the word at the cursor: keyspaces where a statement names one, else keywords and fields too. */
final class ShellCompleter implements Completer {

    private static final Set<String> BEFORE_A_KEYSPACE =
            Set.of("FROM", "JOIN", "NEST", "INTO", "UPDATE", "ON", "KEYSPACE", "COLLECTION", "\\D");

    private final Vocabulary vocabulary;

    ShellCompleter(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String word = line.word().substring(0, line.wordCursor());
        String before = line.wordIndex() == 0
                ? ""
                : line.words().get(line.wordIndex() - 1).toUpperCase(Locale.ROOT);
        if (word.startsWith("\\")) {
            Session.COMMANDS.forEach(command -> candidates.add(candidate(command.name(), "commands", true)));
        } else if (before.equals("\\F")) {
            for (RowFormat format : RowFormat.values()) {
                candidates.add(candidate(format.toString(), "formats", true));
            }
        } else if (BEFORE_A_KEYSPACE.contains(before)) {
            keyspaces(candidates);
        } else {
            boolean lower = !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT));
            for (String keyword : Vocabulary.KEYWORDS) {
                candidates.add(candidate(lower ? keyword.toLowerCase(Locale.ROOT) : keyword, "keywords", true));
            }
            fields(word, vocabulary.fields(), candidates);
            keyspaces(candidates);
        }
    }

    private void keyspaces(List<Candidate> candidates) {
        vocabulary.keyspaces().forEach(name -> candidates.add(candidate(name, "keyspaces", true)));
    }

    /** Offers fields, after the alias that has been typed: {@code o.to} becomes {@code o.total}. */
    private static void fields(String word, Collection<String> fields, List<Candidate> candidates) {
        String alias = word.substring(0, word.lastIndexOf('.') + 1);
        fields.forEach(field -> candidates.add(candidate(alias + field, "fields", false)));
    }

    private static Candidate candidate(String value, String group, boolean complete) {
        return new Candidate(value, value, group, null, null, null, complete);
    }
}
