package io.millrace.subdoc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** JSON as a tree: text to nodes and back. The engine never builds trees, so this is independent of it. */
sealed interface Tree {

    /** A scalar as it is spelt. */
    record Scalar(String text) implements Tree {}

    record Array(List<Tree> elements) implements Tree {}

    /** Members in order, duplicates included; names as they are spelt. */
    record Members(List<Member> members) implements Tree {}

    record Member(String name, Tree value) {}

    static Tree parse(String text) {
        Parser parser = new Parser(text);
        Tree tree = parser.value();
        parser.blanks();
        if (parser.at != text.length()) {
            throw new IllegalArgumentException("More than one value: " + text);
        }
        return tree;
    }

    default String text() {
        return switch (this) {
            case Scalar scalar -> scalar.text;
            case Array array ->
                "[" + String.join(",", array.elements.stream().map(Tree::text).toList()) + "]";
            case Members object ->
                "{"
                        + String.join(
                                ",",
                                object.members.stream()
                                        .map(member -> '"' + member.name + "\":" + member.value.text())
                                        .toList())
                        + "}";
        };
    }

    /** Returns how deep it is: 1 for a scalar or an empty container. */
    default int level() {
        return switch (this) {
            case Scalar scalar -> 1;
            case Array array ->
                array.elements.stream().mapToInt(Tree::level).max().orElse(0) + 1;
            case Members object ->
                object.members.stream()
                                .mapToInt(member -> member.value.level())
                                .max()
                                .orElse(0)
                        + 1;
        };
    }

    /** Reads text that is JSON, and fails in some way on other text. */
    final class Parser {
        private static final Pattern STRING =
                Pattern.compile("\"([^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+\"");

        private final String text;
        private int at;

        private Parser(String text) {
            this.text = text;
        }

        private void blanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private void expect(char c) {
            blanks();
            if (text.charAt(at++) != c) {
                throw new IllegalArgumentException("No " + c + " at " + (at - 1) + ": " + text);
            }
        }

        private boolean ends(char c) {
            blanks();
            if (text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private Tree value() {
            blanks();
            char first = text.charAt(at);
            if (first == '[') {
                at++;
                List<Tree> elements = new ArrayList<>();
                while (!ends(']')) {
                    if (!elements.isEmpty()) {
                        expect(',');
                    }
                    elements.add(value());
                }
                return new Array(elements);
            }
            if (first == '{') {
                at++;
                List<Member> members = new ArrayList<>();
                while (!ends('}')) {
                    if (!members.isEmpty()) {
                        expect(',');
                    }
                    blanks();
                    String name = string();
                    expect(':');
                    members.add(new Member(name.substring(1, name.length() - 1), value()));
                }
                return new Members(members);
            }
            return new Scalar(first == '"' ? string() : word());
        }

        private String string() {
            int start = at++;
            while (text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            String string = text.substring(start, ++at);
            if (!STRING.matcher(string).matches()) {
                throw new IllegalArgumentException("No string at " + start + ": " + text);
            }
            return string;
        }

        private String word() {
            int start = at;
            while (at < text.length() && " \t\r\n,]}".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            if (!word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                throw new IllegalArgumentException("No value at " + start + ": " + text);
            }
            return word;
        }
    }
}
