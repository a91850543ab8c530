package io.millrace.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fenced blocks of a document, and the steps that they ask the reader to take. A {@code bash} block is a step; a
 * {@code text} block right after it is what its last command prints.
 */
final class DocumentSteps {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\\n]*)\\n(.*?)^```$");

    /** A fenced block: its language tag, what stands behind the tag, and its text. */
    record Block(String language, String note, String text) {}

    /**
     * Commands to be run in order.
     *
     * @param expected what the last of them prints, {@code ...} standing for anything; null when the document does not
     *     say
     */
    record Step(String commands, @Nullable String expected) {

        boolean matches(String printed) {
            if (expected == null) {
                return true;
            }
            StringBuilder pattern = new StringBuilder();
            for (String part : expected.strip().split("\\.\\.\\.", -1)) {
                pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
            }
            return Pattern.compile(pattern.toString(), Pattern.DOTALL)
                    .matcher(printed.strip())
                    .matches();
        }
    }

    private DocumentSteps() {}

    static List<Block> blocks(String document) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(document);
        while (matcher.find()) {
            String[] info = matcher.group(1).strip().split(" ", 2);
            blocks.add(new Block(info[0], info.length < 2 ? "" : info[1], matcher.group(2)));
        }
        return blocks;
    }

    static List<Step> of(String document) {
        List<Step> steps = new ArrayList<>();
        String before = "";
        for (Block block : blocks(document)) {
            if (block.language().equals("bash")) {
                steps.add(new Step(block.text(), null));
            } else if (block.language().equals("text") && before.equals("bash")) {
                Step last = steps.removeLast();
                steps.add(new Step(last.commands(), block.text()));
            }
            before = block.language();
        }
        return steps;
    }
}
