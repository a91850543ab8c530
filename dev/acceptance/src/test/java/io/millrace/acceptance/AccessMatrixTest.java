package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The recorded matrix is about all routes that the services declare. */
class AccessMatrixTest {

    /** Routes and endpoints times users; may only grow. */
    private static final int SIZE = 5_782;

    @Test
    void everyDeclaredRoute_isInTheMatrix() {
        assertThat(AccessMatrix.recorded().keySet())
                .as(
                        "the routes of %s; AccessMatrixIT with -D%s=true records them",
                        AccessMatrix.FILE, AccessMatrix.UPDATE)
                .containsExactlyElementsOf(
                        MatrixRows.all().stream().map(String::valueOf).toList());
    }

    @Test
    void size_onlyGrows() {
        assertThat(AccessMatrix.recorded().size() * AccessMatrix.USERS.size()).isGreaterThanOrEqualTo(SIZE);
    }

    @Test
    void everyUser_isRefusedSomewhere_andPassesSomewhere() {
        for (int user = 0; user < AccessMatrix.USERS.size(); user++) {
            int column = user;
            assertThat(AccessMatrix.recorded().values())
                    .as(AccessMatrix.USERS.get(user))
                    .anyMatch(row -> row.charAt(column) == AccessMatrix.PASSED)
                    .anyMatch(row -> row.charAt(column) != AccessMatrix.PASSED);
        }
    }
}
