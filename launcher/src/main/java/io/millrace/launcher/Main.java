package io.millrace.launcher;

import java.nio.file.Path;

/** The programs behind {@code ./millrace}. */
public final class Main {

    private Main() {}

    /** Runs {@code up}, {@code demo} or {@code load FILE BUCKET} for the tree at the system property millrace.root. */
    public static void main(String... arguments) throws InterruptedException {
        Path root = Path.of(System.getProperty("millrace.root", "."))
                .toAbsolutePath()
                .normalize();
        String command = arguments.length == 0 ? "" : arguments[0];
        try {
            switch (command) {
                case "up" -> new Up(System.getenv(), System.out).run(root);
                default -> {
                    System.err.println("Unknown command: " + command);
                    System.exit(2);
                }
            }
        } catch (LauncherException e) {
            System.err.println("millrace: " + e.getMessage());
            System.exit(1);
        }
    }
}
