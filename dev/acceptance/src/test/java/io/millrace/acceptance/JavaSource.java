package io.millrace.acceptance;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A Java file parsed by the compiler. */
final class JavaSource {

    private final Trees trees;
    private final CompilationUnitTree unit;
    private final Path path;

    private JavaSource(Trees trees, CompilationUnitTree unit) {
        this.trees = trees;
        this.unit = unit;
        this.path = Path.of(unit.getSourceFile().toUri());
    }

    static List<JavaSource> parse(Collection<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        JavacTask task = (JavacTask) compiler.getTask(
                null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
        Trees trees = Trees.instance(task);
        try {
            return StreamSupport.stream(task.parse().spliterator(), false)
                    .map(unit -> new JavaSource(trees, unit))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    CompilationUnitTree unit() {
        return unit;
    }

    Trees trees() {
        return trees;
    }

    boolean isTest() {
        return Repository.name(path).contains("src/test/");
    }

    void scan(TreePathScanner<?, ?> scanner) {
        scanner.scan(unit, null);
    }

    /** Returns the number of lines of a tree. */
    long lines(Tree tree) {
        return lineOfEnd(tree) - lineOf(tree) + 1;
    }

    long lineOf(Tree tree) {
        return unit.getLineMap().getLineNumber(positions().getStartPosition(unit, tree));
    }

    private long lineOfEnd(Tree tree) {
        return unit.getLineMap().getLineNumber(positions().getEndPosition(unit, tree));
    }

    private SourcePositions positions() {
        return trees.getSourcePositions();
    }
}
