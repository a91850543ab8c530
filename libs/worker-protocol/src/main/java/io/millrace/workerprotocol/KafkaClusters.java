package io.millrace.workerprotocol;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Kafka clusters that the operator has named: for each a file {@code NAME.properties} in one directory, with settings of
 * Kafka's client. Functions reach no others. Files are looked up each time, so one that is added is known at once.
 */
public record KafkaClusters(Path directory) {

    /** The names that clusters can have. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");

    /** The names that Kafka's topics can have, except for {@code .} and {@code ..}, which Kafka refuses. */
    public static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9_.-]{1,249}");

    private static final String TYPE = ".properties";

    /** Returns the file with the settings of a cluster, which may be missing. */
    public Path file(String cluster) {
        return directory.resolve(cluster + TYPE);
    }

    /**
     * Reads the settings of a cluster.
     *
     * @throws IOException if the file is missing, cannot be read or has not that form
     */
    public Properties settings(String cluster) throws IOException {
        Properties all = new Properties();
        try (Reader text = Files.newBufferedReader(file(cluster))) {
            all.load(text);
        } catch (IllegalArgumentException e) { // for a wrong escape
            throw new IOException(e.getMessage(), e);
        }
        return all;
    }

    /** Returns the names of all clusters in their order; none if the directory cannot be read. */
    public List<String> names() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(TYPE))
                    .map(name -> name.substring(0, name.length() - TYPE.length()))
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of(); // a directory that is missing names none
        }
    }
}
