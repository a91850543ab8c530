package io.millrace.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The commands that a section of a document tells the reader to type, with what they are to see. */
final class ReadmeSteps {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    /**
     * Commands to be carried out in order.
     *
     * @param expected what the last of them prints, {@code ...} standing for anything; null when the text says nothing
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

    private ReadmeSteps() {}

    /** A {@code bash} block is a step; a {@code text} block is what the step before it prints. */
    static List<Step> of(String document, String heading) {
        int begin = document.indexOf("## " + heading + "\n");
        if (begin < 0) {
            throw new AssertionError("No section " + heading);
        }
        int end = document.indexOf("\n## ", begin);
        List<Step> steps = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(document.substring(begin, end < 0 ? document.length() : end));
        while (matcher.find()) {
            if (matcher.group(1).equals("bash")) {
                steps.add(new Step(matcher.group(2), null));
            } else if (matcher.group(1).equals("text")) {
                Step last = steps.remove(steps.size() - 1);
                steps.add(new Step(last.commands(), matcher.group(2)));
            }
        }
        return steps;
    }
}
