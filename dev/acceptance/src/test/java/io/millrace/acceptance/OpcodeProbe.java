package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.OpcodeRows.Row;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A user who sends every opcode to a running suite, on connections of the binary protocol. */
final class OpcodeProbe {

    /** A request with such an answer came no further than its form, which says nothing about rights. */
    private static final Set<Status> WEAK = Set.of(Status.EINVAL, Status.NOT_MY_VBUCKET);

    private record Login(String user, String password) {}

    private final Optional<Login> login;
    private @Nullable MemcachedClient open;
    private boolean selected;

    private OpcodeProbe(Optional<Login> login) {
        this.login = login;
    }

    static OpcodeProbe stranger() {
        return new OpcodeProbe(Optional.empty());
    }

    static OpcodeProbe of(String user, String password) {
        return new OpcodeProbe(Optional.of(new Login(user, password)));
    }

    /** Returns an outcome for each row. */
    String outcomes() throws IOException {
        StringBuilder outcomes = new StringBuilder();
        for (Row row : OpcodeRows.all()) {
            MemcachedClient client = connection();
            Status status = send(client, row);
            if (row.opcode() == Opcode.SELECT_BUCKET) {
                selected = status == Status.SUCCESS;
            }
            outcomes.append(outcome(row, status));
            if (row.ends()) {
                close();
            }
        }
        close();
        return outcomes.toString();
    }

    private MemcachedClient connection() throws IOException {
        MemcachedClient client = open;
        if (client == null) {
            URI address = URI.create(RunningSuite.get().sdkUrl());
            client = new MemcachedClient(address.getHost(), address.getPort(), Api.PATIENCE);
            open = client;
            if (login.isPresent()) {
                assertThat(client.authenticate(
                                ScramMechanism.SCRAM_SHA1,
                                login.get().user(),
                                login.get().password()))
                        .as(login.get().user())
                        .isEqualTo(Status.SUCCESS);
            }
        }
        return client;
    }

    /** Returns the status; the expected outcome of a quiet opcode has no response, or is the end of the connection. */
    private static Status send(MemcachedClient client, Row row) throws IOException {
        if (!row.opcode().quiet()) {
            return status(client.call(row.call()));
        }
        int sent = client.send(row.call());
        int next = client.send(Call.of(Opcode.NOOP));
        client.flush();
        try {
            Answer answer = client.receive();
            if (answer.opaque() == sent) {
                assertThat(client.receive().opaque()).isEqualTo(next);
                return status(answer);
            }
            assertThat(answer.opaque()).isEqualTo(next);
            return Status.SUCCESS;
        } catch (EOFException closed) {
            assertThat(row.ends()).as("%s ended the connection", row).isTrue();
            return Status.SUCCESS;
        }
    }

    private static Status status(Answer answer) {
        Status status = answer.status();
        assertThat(status).as("status 0x%x", answer.code()).isNotNull();
        return status == null ? Status.EINTERNAL : status;
    }

    private char outcome(Row row, Status status) {
        return switch (status) {
            case NOT_SUPPORTED, UNKNOWN_COMMAND -> AccessMatrix.ABSENT;
            case AUTH_ERROR -> AccessMatrix.UNKNOWN;
            case EACCESS -> login.isPresent() ? AccessMatrix.FORBIDDEN : AccessMatrix.UNKNOWN;
            case NO_BUCKET -> {
                assertThat(selected).as("%s after the bucket was selected", row).isFalse();
                yield AccessMatrix.FORBIDDEN;
            }
            default -> {
                assertThat(WEAK.contains(status) && !row.outOfTurn())
                        .as("%s is answered with %s before rights are compared", row, status)
                        .isFalse();
                yield AccessMatrix.PASSED;
            }
        };
    }

    private void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
