package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One grammar of log lines: {@code event=snake_case key=value}, with the unit of a number in its key. */
class LogLinesTest {

    private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error", "log");
    private static final Pattern EVENT = Pattern.compile("event=[a-z][a-z0-9]*(_[a-z0-9]+)*( .*)?");
    private static final Pattern KEY = Pattern.compile("(?:^| )([A-Za-z][\\w-]*)=");
    private static final Pattern SNAKE_CASE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    private static final Pattern OTHER_UNIT = Pattern.compile(".*_(millis|milliseconds|seconds|secs|s|minutes|min)");

    private static final List<JavaSource> SOURCES = JavaSource.parse(Repository.files(".java")).stream()
            .filter(source -> !source.isTest())
            .toList();

    @Test
    void loggers_haveOneName() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            source.scan(new TreePathScanner<Void, Void>() {
                @Override
                public Void visitVariable(VariableTree variable, Void nothing) {
                    String type = String.valueOf(variable.getType());
                    boolean logger = type.equals("Logger") || type.equals("System.Logger");
                    boolean field = getCurrentPath().getParentPath().getLeaf() instanceof ClassTree;
                    if (logger && field && !variable.getName().contentEquals("LOG")) {
                        found.add(Repository.name(source.path()) + ":" + source.lineOf(variable));
                    }
                    return super.visitVariable(variable, nothing);
                }
            });
        }

        assertThat(found).as("loggers that are not named LOG").isEmpty();
    }

    @Test
    void logLines_beginWithTheirEvent() {
        List<String> found = new ArrayList<>();
        int[] lines = new int[1];
        for (JavaSource source : SOURCES) {
            source.scan(new TreePathScanner<Void, Void>() {
                @Override
                public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                    if (isLogCall(call)) {
                        lines[0]++;
                        String fault = fault(textOf(call));
                        if (!fault.isEmpty()) {
                            found.add(Repository.name(source.path()) + ":" + source.lineOf(call) + " " + fault);
                        }
                    }
                    return super.visitMethodInvocation(call, nothing);
                }
            });
        }

        assertThat(found)
                .as("log lines that are not event=snake_case key=value")
                .isEmpty();
        assertThat(lines[0]).as("log calls found").isGreaterThan(50);
    }

    @Test
    void fault_ofEachKindOfLine_isFound() {
        assertThat(fault("event=feed_lost bucket={} pause_ms={}")).isEmpty();
        assertThat(fault("event=feed-lost bucket={}")).isNotEmpty();
        assertThat(fault("function={} event=x")).isNotEmpty();
        assertThat(fault("event=feed_lost pauseMs={}")).isNotEmpty();
        assertThat(fault("event=feed_lost pause_seconds={}")).isNotEmpty();
        assertThat(fault("")).isNotEmpty();
    }

    private static boolean isLogCall(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                && select.getExpression().toString().endsWith("LOG")
                && LEVELS.contains(select.getIdentifier().toString());
    }

    /** The literal parts of the message, empty when it does not begin with one. */
    private static String textOf(MethodInvocationTree call) {
        for (ExpressionTree argument : call.getArguments()) {
            String text = literal(argument);
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static String literal(ExpressionTree expression) {
        if (expression instanceof LiteralTree literal && literal.getValue() instanceof String text) {
            return text;
        }
        if (expression instanceof BinaryTree sum) {
            String left = literal(sum.getLeftOperand());
            return left.isEmpty() ? "" : left + literal(sum.getRightOperand());
        }
        if (expression instanceof MethodInvocationTree call
                && call.getMethodSelect() instanceof MemberSelectTree select
                && select.getIdentifier().contentEquals("formatted")) {
            return literal(select.getExpression());
        }
        return "";
    }

    private static String fault(String line) {
        if (!EVENT.matcher(line).matches()) {
            return "does not begin with event=snake_case: " + line;
        }
        Matcher keys = KEY.matcher(line);
        while (keys.find()) {
            String key = keys.group(1);
            if (!SNAKE_CASE.matcher(key).matches() || OTHER_UNIT.matcher(key).matches()) {
                return "has the key " + key + ", which is not snake_case or not in _ms or _bytes: " + line;
            }
        }
        return "";
    }
}
