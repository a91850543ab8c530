package io.millrace.benchmarks.transactions;

import io.millrace.benchmarks.transactions.ClientProgram.Event;
import io.millrace.benchmarks.transactions.Teller.Stop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A running {@link ClientProgram} and what it has told. */
final class ClientProcess implements AutoCloseable {

    private final Process process;
    private final Thread reader;
    private final Map<Event, Integer> counts = new EnumMap<>(Event.class);

    /** What is not as it should be, in the words of the client. */
    private final List<String> wrong = new ArrayList<>();

    /** Whether its output has ended. */
    private boolean ended;

    private ClientProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().unstarted(this::read);
    }

    /**
     * Starts a client.
     *
     * @param log gets what it writes to standard error
     */
    static ClientProcess start(Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // ten of them start at a time
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                ClientProgram.class.getName()));
        command.addAll(arguments);
        ClientProcess client = new ClientProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
        client.reader.start();
        return client;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        } catch (IOException e) {
            note(e);
        }
        end();
    }

    private synchronized void note(String line) {
        Event event = Event.valueOf(line.split(" ", 2)[0]);
        counts.merge(event, 1, Integer::sum);
        boolean right = switch (event) {
            case COMMITTED, ROLLED_BACK, STOPPED, DONE -> true;
            case SUM -> line.equals(Event.SUM + " " + Accounts.SUM_OF_BRANCH);
            case EXPIRED, AMBIGUOUS -> false;
        };
        if (!right) {
            wrong.add(line);
        }
        notifyAll();
    }

    private synchronized void note(IOException broken) {
        wrong.add(broken.toString());
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized int count(Event event) {
        return counts.getOrDefault(event, 0);
    }

    /** Returns how many of its transfers have ended in any way. */
    synchronized int transfers() {
        return count(Event.COMMITTED) + count(Event.ROLLED_BACK);
    }

    synchronized boolean isWorking() {
        return count(Event.DONE) == 0 && !ended;
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Waits until the client has told an event at least this often; returns false when it ended before. */
    synchronized boolean await(Event event, int count) throws InterruptedException {
        while (count(event) < count && !ended) {
            wait();
        }
        return count(event) >= count;
    }

    /** Kills the client in the middle of a transaction; returns false if it had none left. */
    boolean kill(Stop stop) throws IOException, InterruptedException {
        Writer orders = process.outputWriter(StandardCharsets.UTF_8);
        orders.write(stop + "\n");
        orders.flush();
        synchronized (this) {
            while (count(Event.STOPPED) == 0 && isWorking()) {
                wait();
            }
        }
        boolean stopped = count(Event.STOPPED) > 0;
        if (stopped) {
            // by its handle: destroying a Process also closes its output, of which the last lines may not have been
            // read
            process.toHandle().destroyForcibly();
            process.waitFor();
            reader.join();
        }
        return stopped;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
