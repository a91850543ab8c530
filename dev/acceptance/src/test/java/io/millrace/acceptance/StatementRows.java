package io.millrace.acceptance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The statements of the matrix: at least one of each kind, each for a bucket with and for one without roles. */
final class StatementRows {

    /**
     * A statement.
     *
     * @param kind the kind that the parser tells apart
     */
    record Row(String kind, String statement) {

        @Override
        public String toString() {
            return kind + " " + statement;
        }
    }

    /** The kind, a colon and the statement; {@code $b} is the bucket. None changes what a later one needs. */
    private static final List<String> FORMS = List.of(
            "Select: SELECT * FROM $b USE KEYS 'absent'",
            "Select: SELECT COUNT(*) FROM $b",
            "Select: SELECT (SELECT RAW COUNT(*) FROM $b)",
            "Explain: EXPLAIN SELECT * FROM $b USE KEYS 'absent'",
            "Advise: ADVISE SELECT * FROM $b WHERE n = 1",
            "Prepare: PREPARE p_$b AS SELECT * FROM $b USE KEYS 'absent'",
            "Execute: EXECUTE p_$b",
            "Infer: INFER $b",
            "Insert: INSERT INTO $b VALUES ('inserted', {'n': 1})",
            "Insert: UPSERT INTO $b VALUES ('upserted', {'n': 1})",
            "InsertSelect: INSERT INTO $b (KEY 'selected', VALUE 1) SELECT 1",
            "Update: UPDATE $b USE KEYS 'absent' SET n = 1",
            "Delete: DELETE FROM $b USE KEYS 'absent'",
            "Delete: DELETE FROM $b USE KEYS 'absent' RETURNING *",
            "Merge: MERGE INTO $b t USING [{'k': 'absent'}] s ON KEY s.k WHEN MATCHED THEN UPDATE SET t.n = 1",
            "Merge: MERGE INTO $b t USING [{'k': 'absent'}] s ON KEY s.k WHEN MATCHED THEN DELETE",
            "Transaction: BEGIN; UPDATE $b USE KEYS 'absent' SET n = 1; COMMIT",
            "CreateIndex: CREATE INDEX matrix_n IF NOT EXISTS ON $b(n)",
            "CreateIndex: CREATE PRIMARY INDEX IF NOT EXISTS ON $b",
            "BuildIndex: BUILD INDEX ON $b(matrix_n)",
            "DropIndex: DROP INDEX gone IF EXISTS ON $b",
            "CreateContainer: CREATE BUCKET IF NOT EXISTS $b",
            "CreateContainer: CREATE SCOPE IF NOT EXISTS $b.shop",
            "CreateContainer: CREATE COLLECTION IF NOT EXISTS $b.shop.carts",
            "DropContainer: DROP COLLECTION IF EXISTS $b._default.gone",
            "DropContainer: DROP SCOPE IF EXISTS $b.gone",
            "DropContainer: DROP BUCKET IF EXISTS gone_$b",
            "Flush: FLUSH COLLECTION $b",
            "CreateFunction: CREATE OR REPLACE FUNCTION $b._default.f() { 1 }",
            "DropFunction: DROP FUNCTION IF EXISTS $b._default.f",
            "CreateSequence: CREATE SEQUENCE IF NOT EXISTS $b._default.ids",
            "AlterSequence: ALTER SEQUENCE $b._default.ids CACHE 10",
            "Select: SELECT NEXTVAL FOR $b._default.ids",
            "DropSequence: DROP SEQUENCE IF EXISTS $b._default.gone");

    private static final List<String> OF_THE_CLUSTER = List.of(
            "Select: SELECT RAW 1",
            "Select: SELECT * FROM system:keyspaces",
            "Select: SELECT * FROM system:prepareds",
            "Delete: DELETE FROM system:prepareds WHERE name = 'gone'",
            "CreateFunction: CREATE OR REPLACE FUNCTION matrix_f() { 1 }",
            "DropFunction: DROP FUNCTION IF EXISTS matrix_f");

    /** Kinds without rows: every user who has logged in gets a warning. */
    private static final Set<String> WITHOUT_EFFECT = Set.of("Nothing");

    private StatementRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(
                OF_THE_CLUSTER.stream().map(form -> row(form, "")).toList());
        for (String bucket : List.of(MatrixRows.OTHER_BUCKET, MatrixRows.BUCKET)) {
            FORMS.forEach(form -> rows.add(row(form, bucket)));
        }
        return rows;
    }

    private static Row row(String form, String bucket) {
        String[] parts = form.split(": ", 2);
        return new Row(parts[0], parts[1].replace("$b", bucket));
    }

    /** Returns the kinds of statements that the parser tells apart and that have an effect. */
    static Set<String> kinds() {
        try (BuiltClasses classes = new BuiltClasses()) {
            Class<?> statement = classes.load("n1ql", "Statement");
            return Arrays.stream(statement.getPermittedSubclasses())
                    .map(Class::getSimpleName)
                    .filter(kind -> !WITHOUT_EFFECT.contains(kind))
                    .collect(Collectors.toSet());
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError("Cannot read the kinds of statements", e);
        }
    }
}
