package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recorded matrices are about all routes that the services declare, all opcodes, and all kinds of statements. */
class AccessMatrixTest {

    private static List<AccessMatrix> matrices() {
        return List.of(AccessMatrix.ROUTES, AccessMatrix.OPCODES, AccessMatrix.STATEMENTS);
    }

    /** Routes and endpoints times users; may only grow. */
    private static final int ROUTES = 6_945;

    /** Offered opcodes times users; may only grow. */
    private static final int OPCODES = 1_650;

    /** Statements times users; may only grow. */
    private static final int STATEMENTS = 1_110;

    @Test
    void everyDeclaredRoute_isInTheMatrix() {
        assertRows(AccessMatrix.ROUTES, MatrixRows.all());
    }

    @Test
    void everyOpcode_isInTheMatrix() {
        assertRows(AccessMatrix.OPCODES, OpcodeRows.all());
    }

    @Test
    void everyKindOfStatement_isInTheMatrix() {
        assertRows(AccessMatrix.STATEMENTS, StatementRows.all());
        assertThat(StatementRows.all().stream().map(StatementRows.Row::kind)).containsAll(StatementRows.kinds());
    }

    private static void assertRows(AccessMatrix matrix, List<?> rows) {
        assertThat(matrix.recorded().keySet())
                .as("the rows of %s; AccessMatrixIT with -D%s=true records them", matrix.file(), AccessMatrix.UPDATE)
                .containsExactlyElementsOf(rows.stream().map(String::valueOf).toList());
    }

    @Test
    void size_onlyGrows() {
        assertThat(AccessMatrix.ROUTES.recorded().size() * AccessMatrix.USERS.size())
                .isGreaterThanOrEqualTo(ROUTES);
        assertThat(AccessMatrix.STATEMENTS.recorded().size() * AccessMatrix.USERS.size())
                .isGreaterThanOrEqualTo(STATEMENTS);
        assertThat(AccessMatrix.OPCODES.recorded().values().stream()
                        .mapToLong(row -> row.chars()
                                .filter(outcome -> outcome != AccessMatrix.ABSENT)
                                .count())
                        .sum())
                .isGreaterThanOrEqualTo(OPCODES);
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void everyUser_isRefusedSomewhere_andPassesSomewhere(AccessMatrix matrix) {
        for (int user = 0; user < AccessMatrix.USERS.size(); user++) {
            int column = user;
            String roles = AccessMatrix.USERS.get(user);
            if (!roles.isEmpty() || !matrix.equals(AccessMatrix.STATEMENTS)) { // a statement needs a login
                assertThat(matrix.recorded().values())
                        .as(roles)
                        .anyMatch(row -> row.charAt(column) == AccessMatrix.PASSED);
            }
            if (!roles.equals("admin") || matrix.equals(AccessMatrix.ROUTES)) { // some routes are for services only
                assertThat(matrix.recorded().values())
                        .as(roles)
                        .anyMatch(row -> row.charAt(column) != AccessMatrix.PASSED);
            }
        }
    }
}
