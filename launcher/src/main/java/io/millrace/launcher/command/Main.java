package io.millrace.launcher.command;

/** The entry point of {@code ./millrace}. */
final class Main {

    private Main() {}

    /** Runs a command for the tree at the system property millrace.root and exits with its status. */
    public static void main(String... arguments) {
        System.exit(Commands.of(Workspace.ofProcess(), Output.ofProcess(System.getenv()))
                .execute(arguments));
    }
}
