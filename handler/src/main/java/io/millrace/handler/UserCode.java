package io.millrace.handler;

import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;

/** A user's code between its headers and footers, and the way back from places in that text to places in the code. */
final class UserCode {

    /** @param line from 1; 0 when unknown */
    record Position(int line, int column) {
        static final Position UNKNOWN = new Position(0, 0);
    }

    private final Source source;
    private final int lineShift;
    private final int columnShift;
    private final int start;
    private final int end;

    static UserCode of(HandlerSpec spec) {
        return new UserCode(spec.name(), spec.code(), spec.headers(), spec.footers(), spec.constants());
    }

    private UserCode(
            String name,
            String code,
            List<String> headers,
            List<String> footers,
            List<HandlerSpec.Constant> constants) {
        var text = new StringBuilder();
        for (var header : headers) {
            text.append(header).append(separator(header));
        }
        for (var constant : constants) {
            boolean plain =
                    constant.literal().indexOf('\n') < 0 && !constant.literal().contains("//");
            text.append("const ").append(constant.name()).append(" = (").append(constant.literal());
            text.append(plain ? "); " : "\n); ");
        }
        this.start = text.length();
        this.lineShift = (int) text.chars().filter(c -> c == '\n').count();
        this.columnShift = start - text.lastIndexOf("\n") - 1;
        text.append(code);
        this.end = text.length();
        for (var footer : footers) {
            text.append('\n').append(footer);
        }
        this.source = Sandbox.source(name, text.toString());
    }

    /**
     * Headers stand on the line of the code's first line where they can, so that the line numbers that code itself gets
     * to see, in {@code error.stack}, are right as well.
     */
    private static char separator(String header) {
        var trimmed = header.stripTrailing();
        boolean closed = trimmed.isEmpty() || trimmed.endsWith(";") || trimmed.endsWith("}");
        return closed && !trimmed.contains("//") ? ' ' : '\n';
    }

    Source source() {
        return source;
    }

    /** Returns whether a place in {@link #source()}, in characters from its begin, lies in the user's code. */
    boolean contains(int offset) {
        return start <= offset && offset < end;
    }

    /** Returns the place in the user's code that a section of {@link #source()} begins at. */
    Position position(SourceSection section) {
        return position(section.getStartLine(), section.getStartColumn());
    }

    Position position(int offset) {
        return position(source.getLineNumber(offset), source.getColumnNumber(offset));
    }

    private Position position(int line, int column) {
        int shifted = line - lineShift;
        if (shifted < 1) {
            return new Position(1, 1);
        }
        return new Position(shifted, shifted == 1 ? Math.max(1, column - columnShift) : column);
    }

    /** Returns where in the user's code an exception comes from: its own place, else that of the innermost call. */
    Position positionOf(PolyglotException thrown) {
        var own = thrown.getSourceLocation();
        if (own != null && isOurs(own)) {
            return position(own);
        }
        for (var frame : thrown.getPolyglotStackTrace()) {
            var section = frame.isGuestFrame() ? frame.getSourceLocation() : null;
            if (section != null && isOurs(section)) {
                return position(section);
            }
        }
        return Position.UNKNOWN;
    }

    /** Returns the calls that led to an exception, one line each, innermost first. */
    String stackOf(PolyglotException thrown) {
        var stack = new StringBuilder();
        int frames = 0;
        for (var frame : thrown.getPolyglotStackTrace()) {
            var section = frame.isGuestFrame() ? frame.getSourceLocation() : null;
            if (section != null && isOurs(section)) {
                if (++frames > HandlerLimits.STACK_TRACE_FRAMES) {
                    return stack.append("    ...\n").toString();
                }
                var at = position(section);
                stack.append("    at ").append(frame.getRootName());
                stack.append(" (").append(source.getName()).append(':');
                stack.append(at.line()).append(':').append(at.column()).append(")\n");
            }
        }
        return stack.toString();
    }

    private boolean isOurs(SourceSection section) {
        return section.hasLines() && source.equals(section.getSource());
    }
}
