package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.ANY;
import static io.millrace.subdocservice.kv.command.Command.Part.NONE;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.memcached.ErrorMap;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.memcached.sasl.PlainMessage;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.memcached.sasl.ScramServer;
import io.millrace.memcached.sasl.ScramServer.SaslStep;
import io.millrace.subdocservice.users.Logins;
import io.millrace.users.LoginOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands before a bucket is selected: features, error map, authentication. */
final class HandshakeCommands {

    private static final Logger LOG = LoggerFactory.getLogger(HandshakeCommands.class);
    private static final String PLAIN = "PLAIN";

    private static final Set<Feature> OFFERED = EnumSet.of(
            Feature.TCP_NODELAY,
            Feature.MUTATION_SEQNO,
            Feature.XATTR,
            Feature.XERROR,
            Feature.SELECT_BUCKET,
            Feature.JSON,
            Feature.UNORDERED_EXECUTION,
            Feature.ALT_REQUEST,
            Feature.SYNC_REPLICATION,
            Feature.COLLECTIONS,
            Feature.PRESERVE_TTL,
            Feature.VATTR,
            Feature.SUBDOC_CREATE_AS_DELETED,
            Feature.SUBDOC_DOCUMENT_MACRO,
            Feature.SUBDOC_REPLACE_BODY_WITH_XATTR,
            Feature.SUBDOC_REPLICA_READ,
            Feature.CONFIG_WITH_KNOWN_VERSION,
            Feature.SUBDOC_BINARY_XATTR);

    /** Features whose requests have frame extras: without ALT_REQUEST they are useless, and some clients fail. */
    private static final Set<Feature> NEED_ALT_REQUEST = EnumSet.of(Feature.SYNC_REPLICATION, Feature.PRESERVE_TTL);

    private static final SaslStep LOCKED = new SaslStep.Failed("Too many logins of the user failed");

    private final Logins logins;
    private final String version;

    HandshakeCommands(Logins logins, String version) {
        this.logins = logins;
        this.version = version;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.HELLO,
                Command.open(ANY, ANY, this::hello),
                Opcode.GET_ERROR_MAP,
                Command.open(NONE, SOME, HandshakeCommands::errorMap),
                Opcode.SASL_LIST_MECHS,
                Command.open(NONE, NONE, this::mechanisms),
                Opcode.SASL_AUTH,
                new Command(Command.Access.NO_LOGIN, Set.of(), new int[] {0}, SOME, ANY, false, this::authenticate),
                Opcode.SASL_STEP,
                Command.open(SOME, ANY, this::step),
                Opcode.NOOP,
                Command.open(NONE, NONE, (session, request) -> Response.of(Status.SUCCESS)),
                Opcode.QUIT,
                Command.open(NONE, NONE, (session, request) -> Response.of(Status.SUCCESS)),
                Opcode.VERSION,
                Command.open(
                        NONE,
                        NONE,
                        (session, request) -> Response.of(Status.SUCCESS).withValue(bytes(version))));
    }

    private Response hello(Session session, Request request) {
        if (request.valueLength() % 2 != 0) {
            throw CommandException.of(Status.EINVAL, "The length of the features must be even");
        }
        List<Feature> asked = Feature.decode(request.value());
        boolean flexible = asked.contains(Feature.ALT_REQUEST);
        List<Feature> granted = asked.stream()
                .filter(feature -> OFFERED.contains(feature) && (flexible || !NEED_ALT_REQUEST.contains(feature)))
                .toList();
        session.grant(granted);
        return Response.of(Status.SUCCESS).withValue(Feature.encode(granted));
    }

    private static Response errorMap(Session session, Request request) {
        byte[] value = request.value();
        int version = value.length == 2 ? (value[0] & 0xff) << 8 | value[1] & 0xff : 0;
        if (version == 0) {
            throw CommandException.of(Status.EINVAL, "The version of the error map must be two bytes and at least 1");
        }
        return Response.of(Status.SUCCESS).withDatatype(session.json()).withValue(ErrorMap.json(version));
    }

    private Response mechanisms(Session session, Request request) {
        List<String> names = new ArrayList<>(Arrays.stream(ScramMechanism.values())
                .map(ScramMechanism::label)
                .toList());
        if (session.plain()) {
            names.add(PLAIN);
        }
        return Response.of(Status.SUCCESS).withValue(bytes(names.stream().collect(Collectors.joining(" "))));
    }

    private CompletableFuture<Response> authenticate(Session session, Request request) {
        session.login(null);
        String name = new String(request.key(), StandardCharsets.UTF_8);
        ScramMechanism mechanism = ScramMechanism.named(name).orElse(null);
        boolean plain = name.equals(PLAIN) && session.plain();
        session.claim("", mechanism != null ? "scram" : plain ? "plain" : "none", null);
        if (mechanism == null && !plain) {
            session.loginFailed("The mechanism is not supported");
            throw CommandException.of(
                    Status.AUTH_ERROR, "The mechanism is not supported; SASL_LIST_MECHS lists the supported ones");
        }
        if (!logins.ready()) {
            throw CommandException.of(Status.ETMPFAIL, "The users have not been read yet; try again");
        }
        if (mechanism == null) {
            return plain(session, request.value());
        }
        ScramServer scram = new ScramServer(
                mechanism, user -> logins.keys(user, mechanism), Logins.USUAL_ITERATIONS, logins.decoyKey());
        session.login(scram);
        SaslStep first = scram.start(request.value());
        claim(session, scram.user().orElse(""), "scram");
        boolean locked = scram.user()
                .map(user -> logins.throttle().delay(user, session.address()))
                .filter(Duration::isPositive)
                .isPresent();
        return CompletableFuture.completedFuture(answer(session, locked ? LOCKED : first));
    }

    private CompletableFuture<Response> plain(Session session, byte[] value) {
        PlainMessage message = PlainMessage.parse(value)
                .orElseThrow(() -> CommandException.of(Status.EINVAL, "The PLAIN message is not valid"));
        claim(session, message.user(), "plain");
        // a connection starts no other request until this one has its response
        return logins.logIn(message.user(), message.password(), session.address())
                .thenApply(outcome -> answer(
                        session,
                        switch (outcome) {
                            case LoginOutcome.Accepted accepted -> new SaslStep.Done(message.user(), new byte[0]);
                            case LoginOutcome.Refused refused ->
                                new SaslStep.Failed("The user or the password is wrong");
                            case LoginOutcome.Locked locked -> LOCKED;
                            case LoginOutcome.Busy busy ->
                                throw CommandException.of(
                                        Status.ETMPFAIL, "Too many logins are being checked; try again");
                        }));
    }

    private void claim(Session session, String user, String method) {
        session.claim(user, method, logins.stamp(user));
    }

    private Response step(Session session, Request request) {
        ScramServer scram = session.login();
        if (scram == null) {
            throw CommandException.of(Status.EINVAL, "SASL_AUTH must come before SASL_STEP");
        }
        String user = scram.user().orElse("");
        // asked once more: other logins of the user may have failed since this one began
        if (logins.throttle().delay(user, session.address()).isPositive()) {
            return answer(session, LOCKED);
        }
        SaslStep last = scram.finish(request.value());
        if (last instanceof SaslStep.Done) {
            logins.throttle().succeeded(user, session.address());
        } else {
            logins.throttle().failed(user, session.address());
        }
        return answer(session, last);
    }

    private static Response answer(Session session, SaslStep step) {
        return switch (step) {
            case SaslStep.Challenge(byte[] message) ->
                Response.of(Status.AUTH_CONTINUE).withValue(message);
            case SaslStep.Done(String user, byte[] message) -> {
                session.loggedIn(user);
                yield Response.of(Status.SUCCESS).withValue(message);
            }
            case SaslStep.Failed(String reason) -> {
                session.loginFailed(reason);
                LOG.info("event=kv_login_failed reason=\"{}\"", reason);
                yield Response.of(Status.AUTH_ERROR);
            }
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
