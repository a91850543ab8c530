package io.millrace.launcher.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** {@code millrace fn deploy --all} with a suite that only stores functions. */
class DeployAllTest extends FunctionCommandLine {

    @Test
    void deployAll_withPrune_leavesOnlyWhatTheDirectoryHas() {
        created("a");
        created("b");
        assertThat(fn("deploy", "--all", home.toString())).isZero();
        assertThat(suite.functions()).containsExactly("a deployed 1", "b deployed 1");
        created("c");

        Path kept = home.resolve("kept");
        assertThat(fn("export", kept.toString(), "a")).isZero();
        assertThat(fn("deploy", "--all", "--prune", kept.toString())).isZero();

        assertThat(data()).isEqualTo("= a: no change\n- b: undeploy and delete\n");
        assertThat(suite.functions()).containsExactly("a deployed 1");
        assertThat(fn("deploy", "--prune", kept.toString())).isEqualTo(1);
        assertThat(talk()).contains("use it with --all");
    }

    @Test
    void deployAll_withAFunctionInTwoDirectories_isRefused() throws IOException {
        created("a");
        Path copy = created("b");
        Path definition = copy.resolve("function.json");
        Files.writeString(
                definition, Files.readString(definition).replace("\"appname\" : \"b\"", "\"appname\" : \"a\""));

        assertThat(fn("deploy", "--all", home.toString())).isEqualTo(1);

        assertThat(talk()).contains(home.resolve("a") + " and " + copy + " both have the function a");
        assertThat(suite.functions()).isEmpty();
    }

    @Test
    void deployAll_deploysAFunctionWhenThoseRunThatItWakes_andUndeploysTheWakersFirst() throws IOException {
        created("a");
        created("b");
        suite.slow = true;
        suite.graph = JsonMapper.shared()
                .readTree("{\"functions\": [{\"name\": \"a\", \"wakes\": [\"b\"]}, {\"name\": \"b\", \"wakes\": []}],"
                        + " \"deploy_order\": [\"b\", \"a\"]}");

        assertThat(fn("deploy", "--all", home.toString())).isZero();

        assertThat(suite.changes)
                .containsExactly(
                        "POST /api/v1/functions/a",
                        "POST /api/v1/functions/b",
                        "POST /api/v1/functions/b/deploy",
                        "deployed b",
                        "POST /api/v1/functions/a/deploy",
                        "deployed a");
        suite.changes.clear();
        Path none = Files.createDirectory(home.resolve("none"));
        assertThat(fn("deploy", "--prune", "--all", "--allow-empty", none.toString()))
                .isZero();
        assertThat(suite.changes)
                .containsExactly(
                        "POST /api/v1/functions/a/undeploy",
                        "DELETE /api/v1/functions/a",
                        "POST /api/v1/functions/b/undeploy",
                        "DELETE /api/v1/functions/b");
    }

    @Test
    void deployAll_withPruneAndNoFunctionInTheDirectory_showsThePlanAndChangesNothing() throws IOException {
        created("a");
        assertThat(fn("deploy", "--all", home.toString())).isZero();
        Path none = Files.createDirectory(home.resolve("none"));

        assertThat(fn("deploy", "--all", "--prune", none.toString())).isEqualTo(1);

        assertThat(data()).isEqualTo("- a: undeploy and delete\n");
        assertThat(talk())
                .contains("No directory below " + none + " has a function.json")
                .contains("--allow-empty deletes them");
        assertThat(suite.functions()).containsExactly("a deployed 1");
    }

    @Test
    void deployAll_withNothingToDeploy_isRefused() throws IOException {
        Path function = created("a");
        Path none = Files.createDirectory(home.resolve("none"));

        assertThat(fn("deploy", "--all", none.toString())).isEqualTo(1);
        assertThat(talk()).contains("there is nothing to deploy");

        assertThat(fn("deploy", "--all", "--prune", function.toString())).isEqualTo(1);
        assertThat(talk()).contains(function + " is the directory of one function");
        assertThat(suite.functions()).isEmpty();
    }
}
