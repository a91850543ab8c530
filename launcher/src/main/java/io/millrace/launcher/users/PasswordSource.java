package io.millrace.launcher.users;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.users.AccountCommands.Cli;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import picocli.CommandLine.Option;

/**
 * Where the password of a user comes from: a question in the terminal, standard input, or chance. Not an argument, because
 * arguments are in the list of processes and in the history of the shell.
 */
final class PasswordSource {

    private static final int GENERATED_BYTES = 18;

    @Option(names = "--generate", description = "generates a password and prints it")
    private boolean generate;

    @Option(names = "--password-stdin", description = "reads the password from the first line of standard input")
    private boolean standardInput;

    boolean generates() {
        return generate;
    }

    String read(Cli cli, String user) {
        if (generate) {
            byte[] bytes = new byte[GENERATED_BYTES];
            new SecureRandom().nextBytes(bytes);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }
        return standardInput ? line(cli) : typed(cli, user);
    }

    private static String line(Cli cli) {
        try {
            String line = new BufferedReader(new InputStreamReader(cli.input(), StandardCharsets.UTF_8)).readLine();
            if (line != null && !line.isEmpty()) {
                return line;
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot read the password from standard input: " + e.getMessage(), e);
        }
        throw new LauncherException("Standard input has no password; its first line must be the password");
    }

    private static String typed(Cli cli, String user) {
        String password = cli.prompt()
                .ask("Password of " + user + ": ")
                .orElseThrow(() -> new LauncherException("There is no terminal to ask for the password of " + user
                        + "; use --generate or --password-stdin"));
        if (!cli.prompt().ask("The same again: ").orElse("").equals(password)) {
            throw new LauncherException("The two passwords differ; nothing was changed");
        }
        return password;
    }
}
