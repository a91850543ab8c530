package io.millrace.acceptance;

import io.millrace.launcher.Ports;
import io.millrace.testkit.KafkaBroker;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** PostgreSQL and Kafka, which documents name next to Millrace: started when one first needs them, ended with the JVM. */
final class Neighbors {

    /** As documents name the database. */
    private static final String DATABASE = "db.internal:5432";

    /** As documents name the cluster of Kafka in definitions. */
    private static final String CLUSTER = "shop";

    private static final int DATABASE_PORT = Ports.free();

    private static boolean databaseStarted;
    private static boolean kafkaStarted;

    private Neighbors() {}

    /** Returns where functions may find the database, whether it has been started or not. */
    static String databaseAddress() {
        return "127.0.0.1:" + DATABASE_PORT;
    }

    /**
     * Returns the commands as a reader would type them here, and starts what they need.
     *
     * @param sql what the document lets the reader run in the database before
     */
    static synchronized String typed(String commands, List<String> sql) throws Exception {
        if (commands.contains(DATABASE) && !databaseStarted) {
            databaseStarted = true;
            startDatabase(sql);
        }
        if (commands.contains("cluster\": \"" + CLUSTER + '"') && !kafkaStarted) {
            kafkaStarted = true;
            startKafka();
        }
        return commands.replace(DATABASE, databaseAddress());
    }

    private static void startDatabase(List<String> sql) throws IOException, SQLException {
        EmbeddedPostgres database =
                EmbeddedPostgres.builder().setPort(DATABASE_PORT).start();
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement run = connection.createStatement()) {
            run.execute("CREATE ROLE app LOGIN PASSWORD 'correct-horse'");
            run.execute("CREATE DATABASE crm OWNER app");
        }
        try (Connection connection = database.getDatabase("app", "crm").getConnection();
                Statement run = connection.createStatement()) {
            for (String statement : sql) {
                run.execute(statement);
            }
        }
    }

    /** The operator has made the topic and named the cluster. */
    private static void startKafka() throws Exception {
        KafkaBroker kafka = KafkaBroker.start(RunningSuite.scratch("kafka"));
        kafka.create("orders", 1, Map.of());
        Path cluster = RunningSuite.kafkaClusters().resolve(CLUSTER + ".properties");
        Files.writeString(cluster, "bootstrap.servers=" + kafka.address() + '\n');
    }
}
