package io.millrace.n1ql.syntax;

import java.util.Set;

/** A statement and the names of its parameters in the order of the text; positional ones are numbers from 1. */
public record ParsedStatement(Statement statement, Set<String> parameters) {}
