package io.millrace.handler.code;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.ImportedLibraries;
import io.millrace.handler.Library;
import io.millrace.handler.QueryLanguage;
import io.millrace.handler.code.TypeScript.Stripped;
import io.millrace.handler.code.TypeScript.Stripped.Code;
import io.millrace.handler.code.TypeScript.Stripped.Mistaken;
import io.millrace.handler.sandbox.Sandbox;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.jspecify.annotations.Nullable;

/**
 * A user's code between its headers and footers, and the mapping from positions in that text to positions in the code.
 */
public final class UserCode {

    /** The global object that has the namespaces of the imported libraries while the code is loaded. */
    public static final String NAMESPACES = Imports.NAMESPACES;

    /** @param line from 1; 0 when unknown */
    public record Position(int line, int column) {
        public static final Position UNKNOWN = new Position(0, 0);
    }

    private final HandlerSpec spec;
    private final Rewriting rewriting;
    private final @Nullable Engine types;
    private final @Nullable Mistaken mistaken;
    private final Source source;
    private final int lineShift;
    private final int start;
    private final int end;
    /** Kept because insight asks for the line of each call. */
    private final int[] lineStarts;

    private volatile @Nullable Deletions deletions;

    /**
     * Prepares code. TypeScript takes the calling thread a while, and needs a stack like that of a handler.
     *
     * @param engine where types are removed
     */
    public static UserCode of(HandlerSpec spec, QueryLanguage language, Engine engine) {
        return new UserCode(spec, rewriting(spec, language), spec.typescript() ? engine : null);
    }

    /** Returns the statements that stand in code, as they are run. */
    public static List<String> statements(HandlerSpec spec, QueryLanguage language) {
        return rewriting(spec, language).statements();
    }

    /** Returns the import declarations of code, in its order. */
    public static List<ImportedLibraries.Import> imports(String code) {
        int[] lines = lineStarts(code);
        return Imports.of(code).stream()
                .map(found -> {
                    Position at = position(lines, found.start());
                    return new ImportedLibraries.Import(found.specifier(), at.line(), at.column());
                })
                .toList();
    }

    private static Rewriting rewriting(HandlerSpec spec, QueryLanguage language) {
        return Rewriting.of(spec.code(), spec.language().firstDesign(), language);
    }

    /** Returns the same code without a suspected statement. */
    UserCode without(Rewriting.Suspect suspect) {
        return new UserCode(spec, rewriting.without(suspect), types);
    }

    private UserCode(HandlerSpec spec, Rewriting rewriting, @Nullable Engine types) {
        this.spec = spec;
        this.rewriting = rewriting;
        this.types = types;
        Stripped stripped = types == null ? new Code(rewriting.text()) : TypeScript.strip(types, rewriting.text());
        this.mistaken = stripped instanceof Mistaken mistake ? mistake : null;
        var text = new StringBuilder();
        for (var header : spec.headers()) {
            text.append(header).append(separator(header));
        }
        for (var constant : spec.constants()) {
            boolean plain =
                    constant.literal().indexOf('\n') < 0 && !constant.literal().contains("//");
            text.append("const ").append(constant.name()).append(" = (").append(constant.literal());
            text.append(plain ? "); " : "\n); ");
        }
        this.start = text.length();
        this.lineShift = (int) text.chars().filter(c -> c == '\n').count();
        text.append(stripped instanceof Code code ? code.text() : rewriting.text());
        this.end = text.length();
        for (var footer : spec.footers()) {
            text.append('\n').append(footer);
        }
        this.source = Sandbox.source(spec.name(), text.toString());
        this.lineStarts = lineStarts(rewriting.original());
    }

    /**
     * Headers are put on the line of the code's first line where possible, so that the line numbers that code itself
     * gets to see, in {@code error.stack}, are right as well.
     */
    private static char separator(String header) {
        var trimmed = header.stripTrailing();
        boolean closed = trimmed.isEmpty() || trimmed.endsWith(";") || trimmed.endsWith("}");
        return closed && !trimmed.contains("//") ? ' ' : '\n';
    }

    public Source source() {
        return source;
    }

    Rewriting rewriting() {
        return rewriting;
    }

    /** Returns whether the code may run statements. */
    public boolean usesQueries() {
        return rewriting.usesQueries();
    }

    /** Returns the statements that stand in the code, as they are run. */
    public List<String> statements() {
        return rewriting.statements();
    }

    /** Returns why the types cannot be removed, at an offset in {@link #source()}, or null. */
    @Nullable
    Mistaken mistaken() {
        return mistaken == null ? null : new Mistaken(mistaken.message(), start + mistaken.offset());
    }

    /** Returns whether a position in {@link #source()}, in characters from its start, is in the user's code. */
    boolean contains(int offset) {
        return start <= offset && offset < end;
    }

    /** Returns whether that position is in what replaces an import declaration. */
    boolean isImport(int offset) {
        return contains(offset) && rewriting.isImport(offset - start);
    }

    /** Returns the import declarations, in the order of the code. */
    List<Imports.Import> imports() {
        return rewriting.imports();
    }

    /** Returns the libraries that the code may import. */
    List<Library> libraries() {
        return spec.libraries();
    }

    /** Returns the module that loads all imported libraries, or null if there are none. Its exports are their namespaces. */
    public @Nullable Source importing() {
        if (imports().isEmpty()) {
            return null;
        }
        List<String> ids =
                imports().stream().map(Imports.Import::specifier).distinct().toList();
        var text = new StringBuilder();
        for (int i = 0; i < ids.size(); i++) {
            text.append("import * as library%d from '%s'; export {library%d as '%s'};"
                    .formatted(i, ids.get(i), i, ids.get(i)));
        }
        return Sandbox.ownModule(spec.name() + " imports", text.toString());
    }

    /** Returns whether that position is in the user's own code and not in the call that replaces a statement. */
    boolean isWritten(int offset) {
        return contains(offset) && rewriting.isOriginal(offset - start);
    }

    /** Returns the position in the user's code, in characters from its start, of a position in {@link #source()}. */
    int originalOffset(int offset) {
        return rewriting.originalOffset(offset - start);
    }

    /** Returns the place in the user's code that a section of {@link #source()} begins at. */
    Position position(SourceSection section) {
        return position(section.getStartLine(), section.getStartColumn());
    }

    /** Returns the position in the user's code of a position reported by the engine; UNKNOWN if it does not exist. */
    public Position placeInSource(int line, int column) {
        return line < 1 || line > source.getLineCount() ? Position.UNKNOWN : position(line, Math.max(1, column));
    }

    /** Returns the place of a character of {@link #source()}. */
    Position position(int offset) {
        return position(source.getLineNumber(offset), source.getColumnNumber(offset));
    }

    private Position position(int line, int column) {
        int offset = source.getLineStartOffset(line) + column - 1;
        if (offset < start) {
            return new Position(1, 1);
        }
        return offset <= end ? originalPosition(originalOffset(offset)) : new Position(line - lineShift, column);
    }

    /** Returns the place of a character of the user's code. */
    Position originalPosition(int offset) {
        return position(lineStarts, offset);
    }

    /** Returns the place of a character of a text. */
    static Position positionIn(String text, int offset) {
        return position(lineStarts(text), offset);
    }

    private static Position position(int[] lineStarts, int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        int line = found >= 0 ? found : -found - 2;
        return new Position(line + 1, offset - lineStarts[line] + 1);
    }

    private static int[] lineStarts(String text) {
        return IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, text.length())
                                .filter(i -> text.charAt(i) == '\n')
                                .map(i -> i + 1))
                .toArray();
    }

    /** Returns where in the user's code an exception comes from: its own place, else that of the innermost call. */
    public Position positionOf(PolyglotException thrown) {
        var own = thrown.getSourceLocation();
        if (own != null && isOurs(own)) {
            return position(own);
        }
        for (var frame : thrown.getPolyglotStackTrace()) {
            Position at = place(frame);
            if (at != null) {
                return at;
            }
        }
        return Position.UNKNOWN;
    }

    /** Returns the calls that led to an exception, one line each, innermost first. */
    public String stackOf(PolyglotException thrown) {
        var stack = new StringBuilder();
        int frames = 0;
        for (var frame : thrown.getPolyglotStackTrace()) {
            var name = source.getName();
            Position at = place(frame);
            var section = frame.isGuestFrame() ? frame.getSourceLocation() : null;
            if (section != null && isLibrary(section)) {
                name = section.getSource().getName();
                at = new Position(section.getStartLine(), section.getStartColumn());
            }
            if (at != null) {
                if (++frames > HandlerLimits.STACK_TRACE_FRAMES) {
                    return stack.append("    ...\n").toString();
                }
                stack.append("    at ").append(frame.getRootName());
                stack.append(" (").append(name).append(':');
                stack.append(at.line()).append(':').append(at.column()).append(")\n");
            }
        }
        return stack.toString();
    }

    private @Nullable Position place(PolyglotException.StackFrame frame) {
        if (!frame.isGuestFrame()) {
            return null;
        }
        var section = frame.getSourceLocation();
        if (section == null) {
            return deletion(frame.getRootName());
        }
        return isOurs(section) ? position(section) : null;
    }

    /** Returns the place of a failed deletion, as far as it is known. */
    private @Nullable Position deletion(String function) {
        Deletions known = deletions;
        if (known == null) {
            known = Deletions.in(
                    CodeCheck.parsed(source.getName(), source.getCharacters().toString()));
            deletions = known;
        }
        int offset = known.offset(function);
        return contains(offset) ? position(offset) : null;
    }

    /** Returns whether a section is in one of the libraries, whose names no function can have. */
    private boolean isLibrary(SourceSection section) {
        return section.hasLines() && Library.isId(section.getSource().getName());
    }

    private boolean isOurs(SourceSection section) {
        return section.hasLines() && source.equals(section.getSource());
    }
}
