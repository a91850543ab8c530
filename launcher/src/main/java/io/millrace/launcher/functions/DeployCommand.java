package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "deploy",
        description = {
            "saves and deploys functions as their directories say, and waits until they run",
            "Prints the plan first. What is already as the files say is left alone, so it can run again at any time; a"
                    + " function that is deployed takes the change, with a pause only if it needs one. A function is"
                    + " deployed when those run that its writes wake."
        })
final class DeployCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "directories of functions")
    private List<Path> directories = new ArrayList<>();

    @Option(names = "--all", description = "each DIR holds directories of functions")
    private boolean all;

    @Option(names = "--prune", description = "with --all, undeploys and deletes functions that no directory has")
    private boolean prune;

    @Option(
            names = "--allow-empty",
            description = "lets --prune delete every function of the suite when no DIR holds one")
    private boolean allowEmpty;

    @Option(names = "--plan", description = "prints the plan and changes nothing")
    private boolean planOnly;

    @Option(names = "--create-buckets", description = "creates buckets that do not exist")
    private boolean createBuckets;

    @Option(
            names = {"-m", "--note"},
            paramLabel = "TEXT",
            description = "the note of the versions that are saved, for example the commit")
    private String note = "";

    DeployCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        if (prune && !all) {
            throw new LauncherException("--prune deletes what no directory has; use it with --all");
        }
        try (FunctionServer server = cli.server()) {
            List<FunctionDirectory> found = directories();
            Plan plan = Plan.of(server, found, prune);
            plan.steps().forEach(step -> cli.data().println(step.line()));
            checkNotEmpty(found, plan);
            if (!planOnly) {
                found.forEach(directory -> server.saveLibraries(directory.libraries()));
                carryOut(server, plan);
            }
            return ExitCode.OK;
        }
    }

    /** A wrong DIR, or a checkout that failed, must not delete what a suite has. */
    private void checkNotEmpty(List<FunctionDirectory> found, Plan plan) {
        if (!found.isEmpty() || (prune && allowEmpty)) {
            return;
        }
        int removals = plan.removals().size();
        throw new LauncherException(FunctionDirectory.noneBelow(directories) + ", so "
                + (removals == 0
                        ? "there is nothing to deploy."
                        : "--prune would delete every function of the suite. Nothing was changed;"
                                + " --allow-empty deletes them."));
    }

    private List<FunctionDirectory> directories() {
        List<FunctionDirectory> found = new ArrayList<>();
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw new LauncherException(directory + " is not a directory");
            }
            if (all && FunctionDirectory.isAt(directory)) {
                throw new LauncherException(
                        directory + " is the directory of one function; with --all, DIR is a directory"
                                + " of directories. Name the one above it, or leave --all out");
            } else if (all) {
                found.addAll(FunctionDirectory.below(directory));
            } else if (FunctionDirectory.isAt(directory)) {
                found.add(new FunctionDirectory(directory));
            } else {
                throw new LauncherException(
                        directory + " has no function.json; with --all, DIR is a directory of directories");
            }
        }
        return found;
    }

    /** Saves first, because only the server knows from all definitions which function wakes which. */
    private void carryOut(FunctionServer server, Plan plan) {
        List<Plan.Save> saves = plan.saves();
        saves.forEach(save -> save(server, save));
        Plan.Order order =
                saves.size() + plan.removals().size() > 1 ? Plan.Order.of(server.dependencies()) : Plan.Order.NONE;
        for (Plan.Remove remove : order.wakersFirst(plan.removals())) {
            if (remove.deployed()) {
                cli.warn(remove.id(), server.undeploy(remove.id()));
            }
            cli.warn(remove.id(), server.delete(remove.id()));
        }
        Map<String, Plan.Save> open = new LinkedHashMap<>();
        for (Plan.Save save : order.wokenFirst(saves)) {
            order.wokenBy(save).forEach(woken -> awaitDeployed(server, open.remove(woken)));
            server.begin(save);
            open.put(save.id().toString(), save);
        }
        List.copyOf(open.values()).forEach(save -> awaitDeployed(server, save));
    }

    private void awaitDeployed(FunctionServer server, Plan.@Nullable Save save) {
        if (save != null) {
            server.await(save.id(), "deployed");
            cli.talk().println(save.id() + " is deployed");
        }
    }

    private void save(FunctionServer server, Plan.Save save) {
        if (createBuckets) {
            server.createBuckets(save.definition()).forEach(bucket -> cli.talk().println("created bucket " + bucket));
        }
        cli.warn(save.id(), server.saveOf(save, note));
    }

    /** Replaces the code of one function that is deployed. */
    @Command(
            name = "swap",
            description = {
                "has a deployed function take the code and env of its directory without a pause, and waits until it runs",
                "What would need a pause is refused: other bindings and settings, code with OnDeploy, another owner; 'fn deploy' takes"
                        + " these. Code that cannot run leaves the version before running."
            })
    static final class Swap implements Callable<Integer> {

        private final Cli cli;

        @Parameters(paramLabel = "DIR", description = "the directory of the function")
        private Path path = Path.of("");

        @Option(
                names = {"-m", "--note"},
                paramLabel = "TEXT",
                description = "the note of the version that is saved, for example the commit")
        private String note = "";

        Swap(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            FunctionDirectory directory = new FunctionDirectory(path);
            try (FunctionServer server = cli.server()) {
                Plan plan = Plan.of(server, List.of(directory), false);
                for (Plan.Save save : plan.saves()) {
                    if (!save.exists() || !save.action().isEmpty()) {
                        throw new LauncherException(
                                "%s is not deployed; './millrace fn deploy %s' deploys it".formatted(save.id(), path));
                    }
                }
                plan.steps().forEach(step -> cli.data().println(step.line()));
                server.saveLibraries(directory.libraries());
                for (Plan.Save save : plan.saves()) {
                    server.swap(save, note).forEach(warning -> cli.talk().println(save.id() + ": " + warning));
                    server.await(save.id(), "deployed");
                    cli.talk().println(save.id() + " is deployed");
                }
                return ExitCode.OK;
            }
        }
    }
}
