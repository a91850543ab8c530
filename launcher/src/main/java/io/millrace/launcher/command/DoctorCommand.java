package io.millrace.launcher.command;

import io.millrace.launcher.doctor.Doctor;
import io.millrace.launcher.doctor.Finding;
import io.millrace.launcher.doctor.Finding.Grade;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "doctor",
        description = {
            "checks Java, ports, Redis, disk and memory",
            "Every problem comes with its remedy. The exit status is 1 if something keeps Millrace from working."
        })
final class DoctorCommand implements Callable<Integer> {

    /** Where the details of a finding begin. */
    private static final String INDENT = " ".repeat(25);

    private final Workspace workspace;
    private final Output output;

    @Option(names = "--json", description = "prints each finding as one line of JSON")
    private boolean json;

    DoctorCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new Doctor(
                        UpCommand.settings(workspace, output),
                        workspace.data(),
                        workspace.running(),
                        workspace.environment())
                .examine();
        if (!json) {
            output.print("@|bold Millrace " + Version.text() + "|@ on " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch"));
        }
        findings.forEach(json ? this::printJson : this::print);
        boolean healthy = findings.stream().noneMatch(finding -> finding.grade() == Grade.FAILURE);
        return healthy ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(Finding finding) {
        String grade = switch (finding.grade()) {
            case OK -> "@|green ok     |@";
            case WARNING -> "@|yellow warning|@";
            case FAILURE -> "@|bold,red failure|@";
        };
        output.data()
                .println("  " + output.dataStyle().string(grade) + "  %-13s ".formatted(finding.check())
                        + finding.detail().replace("\n", "\n" + INDENT));
        if (!finding.remedy().isEmpty()) {
            finding.remedy().lines().forEach(line -> output.data().println(INDENT + "-> " + line.strip()));
        }
    }

    private void printJson(Finding finding) {
        ObjectNode line = JsonMapper.shared()
                .createObjectNode()
                .put("check", finding.check())
                .put("grade", finding.grade().name().toLowerCase(Locale.ROOT))
                .put("detail", finding.detail());
        if (!finding.remedy().isEmpty()) {
            line.put("remedy", finding.remedy());
        }
        output.data().println(line);
    }
}
