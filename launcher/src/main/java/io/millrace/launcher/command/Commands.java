package io.millrace.launcher.command;

import io.millrace.functionfiles.FunctionFilesException;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands;
import io.millrace.launcher.users.AccountCommands;
import java.io.Console;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line: all commands, what is said about mistakes, and the exit statuses. */
final class Commands {

    private record Group(String heading, List<String> commands) {}

    /** Every command is in one group; {@code help} prints them in this order. */
    private static final List<Group> GROUPS = List.of(
            new Group("Run Millrace", List.of("up", "stop", "status", "logs", "open", "doctor", "reset")),
            new Group("Work with it", List.of("demo", "fn", "load", "query", "user", "key", "audit")),
            new Group("Work on it", List.of("test", "docs", "bench", "images", "dist")),
            new Group("The command line", List.of("completion", "help")));

    @Command(
            name = "millrace",
            synopsisSubcommandLabel = "COMMAND",
            versionProvider = Version.class,
            footerHeading = "%nEnvironment:%n",
            footer = {
                "  MILLRACE_JAVA_HOME  the JDK to use (default: the newest one found)",
                "  REDIS_URL           the Redis to use (default: starts one with an",
                "                      append-only file in ./data)",
                "  MILLRACE_PORT       port of the gateway (8080); the other services:",
                "                      MILLRACE_SUBDOC_PORT (8081),",
                "                      MILLRACE_METAKV_PORT (8082),",
                "                      MILLRACE_EVENTING_PORT (8096),",
                "                      MILLRACE_REDIS_PORT (a free one)",
                "  MILLRACE_KV_PORT    port for Couchbase SDKs (11210)",
                "  MILLRACE_ADMIN_PASSWORD",
                "                      password of the administrator (default: the one in",
                "                      the file 'login' of the data directory, which 'up'",
                "                      makes at the first start)",
                "  MILLRACE_OPEN       'yes': requests without a login have all rights",
                "  MILLRACE_DATA       data directory of the Redis that 'up' starts (./data)",
                "  MILLRACE_LOG_DIR    log directory (./logs)",
                "  MILLRACE_BIND       address that the services listen on (127.0.0.1)",
                "  MILLRACE_JAVA_OPTS  additional JVM options for every service",
                "  MILLRACE_URL        gateway that commands connect to",
                "                      (default: the suite of the data directory)",
                "  MILLRACE_LOGIN      file with the login of commands (./data/login)",
                "  MILLRACE_REGISTRY   registry and path in front of image names (none)",
                "  MILLRACE_TAG        tag of the images (the version)",
                "  NO_COLOR            any value: no colours",
                "",
                "Exit status: 0 success, 1 failure, 2 wrong arguments, 3 not running (status).",
                "'./millrace help COMMAND' explains a command."
            })
    private static final class Root implements Runnable {

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), "no command was given");
        }
    }

    /** Prints what {@code --help} of a command prints, also of one below another. */
    @Command(
            name = "help",
            description = {
                "explains a command",
                "Without one, lists the commands. For example: ./millrace help fn deploy"
            })
    private static final class HelpCommand implements Callable<Integer> {

        private final Output output;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "the words of the command")
        private List<String> words = new ArrayList<>();

        HelpCommand(Output output) {
            this.output = output;
        }

        @Override
        public Integer call() {
            CommandLine command = spec.root().commandLine();
            for (String word : words) {
                CommandLine next = command.getSubcommands().get(word);
                if (next == null) {
                    throw new UnmatchedArgumentException(command, List.of(word));
                }
                command = next;
            }
            command.usage(output.data(), command.getColorScheme());
            return ExitCode.OK;
        }
    }

    private Commands() {}

    static CommandLine of(Workspace workspace, Output output) {
        AccountCommands.Cli accounts = new AccountCommands.Cli(
                workspace::connect, output.data(), output.talk(), System.in, Commands::askHidden);
        CommandLine line = new CommandLine(new Root())
                .addSubcommand(new UpCommand(workspace, output))
                .addSubcommand(new StopCommand(workspace, output))
                .addSubcommand(new StatusCommand(workspace, output))
                .addSubcommand(new LogsCommand(workspace, output))
                .addSubcommand(new OpenCommand(workspace, output))
                .addSubcommand(new DoctorCommand(workspace, output))
                .addSubcommand(new ResetCommand(workspace, output, System.in))
                .addSubcommand(new DemoCommand(workspace, output))
                .addSubcommand(FunctionCommands.of(
                        workspace::connect, workspace::workerHome, output.data(), output.talk(), output.dataStyle()))
                .addSubcommand(new LoadCommand(workspace, output))
                .addSubcommand(new QueryCommand(workspace, output))
                .addSubcommand(AccountCommands.users(accounts))
                .addSubcommand(AccountCommands.keys(accounts))
                .addSubcommand(new AuditCommand(workspace, output))
                .addSubcommand(new CompletionCommand(output))
                .addSubcommand(new HelpCommand(output));
        if (!workspace.isDistribution()) {
            DeveloperCommands.all().forEach(command -> line.addSubcommand(command.name(), command));
        }
        line.getCommandSpec()
                .addOption(
                        flag("prints this text", "-h", "--help").usageHelp(true).build())
                .addOption(flag("prints the version", "--version")
                        .versionHelp(true)
                        .build());
        addHelp(line);
        line.setOut(writer(output.data()));
        line.setErr(writer(output.talk()));
        line.setColorScheme(Help.defaultColorScheme(output.dataStyle()));
        line.setUsageHelpWidth(output.columns());
        line.setExpandAtFiles(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((mistake, arguments) -> mistake(mistake, output));
        line.setExecutionExceptionHandler((failure, command, result) -> failure(failure, output, result));
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Commands::groups);
        return line;
    }

    /** Asks in the terminal and does not show what is typed. */
    private static Optional<String> askHidden(String question) {
        Console console = Output.isTerminal(0) ? System.console() : null;
        return Optional.ofNullable(console)
                .map(terminal -> terminal.readPassword("%s", question))
                .map(String::new);
    }

    /** Adds the option that explains a command to all commands below another. */
    private static void addHelp(CommandLine parent) {
        for (CommandLine command : parent.getSubcommands().values()) {
            if (!command.getCommandSpec().helpCommand()) {
                command.getCommandSpec()
                        .addOption(flag("prints this text", "-h", "--help")
                                .usageHelp(true)
                                .build());
                addHelp(command);
            }
        }
    }

    private static OptionSpec.Builder flag(String description, String... names) {
        return OptionSpec.builder(names).type(boolean.class).description(description);
    }

    private static CommandSpec spec(CommandLine line, String command) {
        return Objects.requireNonNull(line.getSubcommands().get(command)).getCommandSpec();
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    private static String groups(Help help) {
        StringBuilder text = new StringBuilder();
        for (Group group : GROUPS) {
            if (group.commands().stream().noneMatch(help.subcommands()::containsKey)) {
                continue;
            }
            text.append(help.createHeading("%n" + group.heading() + ":%n"));
            Help.TextTable table = Help.TextTable.forColumns(
                    help.colorScheme(),
                    new Help.Column(14, 2, Help.Column.Overflow.SPAN),
                    new Help.Column(help.commandSpec().usageMessage().width() - 14, 2, Help.Column.Overflow.WRAP));
            for (String name : group.commands()) {
                Help command = help.subcommands().get(name);
                if (command != null) {
                    String[] description = command.commandSpec().usageMessage().description();
                    table.addRowValues(
                            help.colorScheme().commandText(name),
                            help.colorScheme().text(description.length == 0 ? "" : description[0]));
                }
            }
            text.append(table);
        }
        return text.toString();
    }

    /** Says in one line what is wrong, what was probably meant, and where to read on. */
    private static int mistake(ParameterException mistake, Output output) {
        CommandLine command = mistake.getCommandLine();
        boolean top = command.getParent() == null;
        String name = command.getCommandSpec()
                .qualifiedName()
                .substring(command.getCommandSpec().root().name().length())
                .strip();
        String suggestion = "";
        String message = uncapitalized(inWords(mistake));
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().getFirst();
            message = (unmatched.isUnknownOption() ? "unknown option: " : top ? "unknown command: " : "unexpected: ")
                    + first;
            List<String> meant = unmatched.getSuggestions();
            suggestion = meant.isEmpty()
                    ? ""
                    : "; did you mean "
                            + String.join(" or ", meant.subList(0, Math.min(2, meant.size())))
                                    .replace(command.getCommandName() + " ", "")
                            + "?";
        }
        output.talk()
                .println(output.talkStyle().string("@|bold,red millrace:|@ ")
                        + (top ? "" : name + ": ") + message + suggestion + " "
                        + (top
                                ? "('./millrace help' lists the commands)"
                                : "('./millrace help " + name + "' explains the command)"));
        return ExitCode.USAGE;
    }

    /** The message of picocli, with the choices of an argument as its help spells them. */
    private static String inWords(ParameterException mistake) {
        String message = String.valueOf(mistake.getMessage());
        if (mistake.getArgSpec() instanceof ArgSpec argument
                && mistake.getValue() != null
                && argument.completionCandidates() != null) {
            List<String> choices = new ArrayList<>();
            argument.completionCandidates().forEach(choices::add);
            return "unknown %s: %s; use one of %s"
                    .formatted(
                            argument.paramLabel().toLowerCase(Locale.ROOT),
                            mistake.getValue(),
                            String.join(", ", choices));
        }
        return message;
    }

    private static int failure(Exception failure, Output output, ParseResult result) {
        String prefix = output.talkStyle().string("@|bold,red millrace:|@ ");
        if (failure instanceof LauncherException || failure instanceof FunctionFilesException) {
            output.talk().println(prefix + failure.getMessage());
        } else {
            output.talk()
                    .println(prefix + result.originalArgs() + " failed unexpectedly; this is a defect of Millrace:");
            failure.printStackTrace(output.talk());
        }
        return ExitCode.SOFTWARE;
    }

    private static String uncapitalized(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }
}
