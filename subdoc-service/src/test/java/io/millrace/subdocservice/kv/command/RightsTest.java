package io.millrace.subdocservice.kv.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.BodyBytes;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.RequestDecoder;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.cluster.ClusterPorts;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.subdocservice.users.Logins;
import io.millrace.users.LoginOutcome;
import io.millrace.users.LoginThrottle;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Clock;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each opcode needs, and what the users of every role may do with it. */
class RightsTest {

    private static final BodyBytes UNLIMITED = new BodyBytes() {
        @Override
        public boolean take(int bytes, int whole) {
            return true;
        }

        @Override
        public void give(int bytes) {}
    };

    private static final String BUCKET = "orders";
    private static final Keyspace KEYSPACE = Keyspace.of(BUCKET);
    private static final Set<Permission> NOTHING = Set.of();
    private static final Set<Permission> BUCKET_ACCESS = Set.of(Permission.BUCKET_ACCESS);
    private static final Set<Permission> READ = Set.of(Permission.DATA_READ);
    private static final Set<Permission> WRITE = Set.of(Permission.DATA_WRITE);
    private static final Set<Permission> BOTH = Set.of(Permission.DATA_READ, Permission.DATA_WRITE);

    /** Combinations of role, target and opcode; may only grow. */
    private static final int MATRIX_SIZE = 3_000;

    private final InstantSource clock = InstantSource.system();
    private final MemoryDocumentStore store = new MemoryDocumentStore(clock);
    private final Cluster cluster = new Cluster("");
    private Optional<Subject> user = Optional.empty();
    private final Dispatcher dispatcher = Dispatcher.create(
            store,
            new SubDocumentExecutor(store, clock),
            clock,
            cluster,
            new Users(),
            level -> CompletableFuture.completedFuture(() -> CompletableFuture.completedFuture(null)),
            WriteTraces.NONE);

    /** One user, whose roles change. */
    private final class Users implements Logins {
        private final LoginThrottle throttle = new LoginThrottle(Clock.systemUTC());

        @Override
        public byte[] decoyKey() {
            return new byte[] {1};
        }

        @Override
        public boolean ready() {
            return true;
        }

        @Override
        public @Nullable ScramKeys keys(String name, ScramMechanism mechanism) {
            return null;
        }

        @Override
        public Optional<Subject> subject(String name) {
            return user;
        }

        @Override
        public CompletableFuture<LoginOutcome> logIn(String name, String password, String address) {
            return CompletableFuture.completedFuture(new LoginOutcome.Refused());
        }

        @Override
        public LoginThrottle throttle() {
            return throttle;
        }
    }

    @BeforeEach
    void createBuckets() {
        store.catalog().createBucket(BUCKET, 1).join();
        store.catalog().createBucket("other", 1).join();
        store.catalog()
                .createCollection(new Keyspace(BUCKET, Keyspace.DEFAULT, "carts"))
                .join();
        cluster.publish(7, ClusterPorts.plain(11210, 8091));
    }

    private static Map<Opcode, Set<Permission>> needs() {
        Map<Opcode, Set<Permission>> needs = new HashMap<>();
        put(
                needs,
                NOTHING,
                Opcode.HELLO,
                Opcode.GET_ERROR_MAP,
                Opcode.SASL_LIST_MECHS,
                Opcode.SASL_AUTH,
                Opcode.SASL_STEP,
                Opcode.NOOP,
                Opcode.QUIT,
                Opcode.VERSION,
                Opcode.SELECT_BUCKET,
                Opcode.GET_CLUSTER_CONFIG);
        put(
                needs,
                BUCKET_ACCESS,
                Opcode.GET_COLLECTIONS_MANIFEST,
                Opcode.GET_COLLECTION_ID,
                Opcode.GET_SCOPE_ID,
                Opcode.GET_RANDOM_KEY, // the collection of these two is in the request, so the commands compare
                Opcode.RANGE_SCAN_CREATE,
                Opcode.RANGE_SCAN_CONTINUE,
                Opcode.RANGE_SCAN_CANCEL);
        put(
                needs,
                READ,
                Opcode.GET,
                Opcode.GETK,
                Opcode.GET_META,
                Opcode.UNLOCK,
                Opcode.SUBDOC_GET,
                Opcode.SUBDOC_EXISTS,
                Opcode.SUBDOC_GET_COUNT,
                Opcode.SUBDOC_MULTI_LOOKUP);
        put(needs, BOTH, Opcode.GAT, Opcode.INCREMENT, Opcode.DECREMENT, Opcode.GET_LOCKED);
        put(
                needs,
                WRITE,
                Opcode.SET,
                Opcode.ADD,
                Opcode.REPLACE,
                Opcode.DELETE,
                Opcode.APPEND,
                Opcode.PREPEND,
                Opcode.TOUCH,
                Opcode.SUBDOC_DICT_ADD,
                Opcode.SUBDOC_DICT_UPSERT,
                Opcode.SUBDOC_DELETE,
                Opcode.SUBDOC_REPLACE,
                Opcode.SUBDOC_ARRAY_PUSH_LAST,
                Opcode.SUBDOC_ARRAY_PUSH_FIRST,
                Opcode.SUBDOC_ARRAY_INSERT,
                Opcode.SUBDOC_ARRAY_ADD_UNIQUE,
                Opcode.SUBDOC_COUNTER,
                Opcode.SUBDOC_REPLACE_BODY_WITH_XATTR,
                Opcode.SUBDOC_MULTI_MUTATION);
        return needs;
    }

    private static void put(Map<Opcode, Set<Permission>> needs, Set<Permission> permissions, Opcode... opcodes) {
        for (Opcode opcode : opcodes) {
            needs.put(opcode, permissions);
        }
    }

    @Test
    void everyOpcode_declaresWhatItNeeds() {
        Map<Opcode, Set<Permission>> declared = new HashMap<>();
        dispatcher.commands().forEach((opcode, command) -> declared.put(opcode, command.needs()));

        assertThat(declared).isEqualTo(needs());
    }

    @Test
    void aCommandInABucket_cannotForgetToDeclareANeed() {
        assertThatThrownBy(() -> Command.reading((session, request) -> new CompletableFuture<>())
                        .needing())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyRole_mayDoWhatItGrantsAndNothingElse() {
        int checked = 0;
        for (RoleName name : RoleName.values()) {
            for (Target target : targets(name)) {
                Subject subject = subject(new Role(name, target));
                Session session = session(subject, false);
                for (Map.Entry<Opcode, Set<Permission>> need : needs().entrySet()) {
                    // the place is in the request, so the command itself compares
                    Set<Permission> needed = switch (need.getKey()) {
                        case SELECT_BUCKET -> BUCKET_ACCESS;
                        case GET_RANDOM_KEY -> READ;
                        default -> need.getValue();
                    };
                    boolean allowed = needed.stream()
                            .allMatch(permission -> Access.allowed(subject, permission, resource(permission)));
                    Status status = send(session, request(need.getKey()));

                    assertThat(status == Status.EACCESS)
                            .as("%s of %s[%s]: %s", need.getKey(), name.label(), target, status)
                            .isEqualTo(!allowed);
                    session = session(subject, false);
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(MATRIX_SIZE);
    }

    private static List<Target> targets(RoleName name) {
        List<Target> all = List.of(
                Target.EVERYTHING,
                Target.bucket(BUCKET),
                Target.bucket("other"),
                Target.parse(BUCKET + ":_default"),
                Target.parse(BUCKET + ":_default:_default"),
                Target.parse(BUCKET + ":_default:carts"));
        return switch (name.level()) {
            case NONE -> all.subList(0, 1);
            case BUCKET, TOPIC -> all.subList(0, 3);
            case SCOPE -> all.subList(0, 4);
            case KEYSPACE -> all;
        };
    }

    @Test
    void aRightOnOneCollection_isNoneOnAnother() {
        Subject subject = subject(Role.parse("data_reader[orders:_default:carts]"));
        Session session = session(subject, true);

        assertThat(send(session, Call.of(Opcode.GET).withKey(new byte[] {8, 'k'})))
                .isEqualTo(Status.KEY_ENOENT);
        assertThat(send(session, Call.of(Opcode.GET).withKey(new byte[] {0, 'k'})))
                .isEqualTo(Status.EACCESS);
        assertThat(send(session, Call.of(Opcode.DELETE).withKey(new byte[] {8, 'k'})))
                .isEqualTo(Status.EACCESS);
    }

    @Test
    void aScan_needsTheRightToReadItsCollection() {
        Call ofCarts =
                Call.of(Opcode.RANGE_SCAN_CREATE).withValue("{\"collection\":\"8\",\"sampling\":{\"samples\":1}}");
        Call ofDefault = Call.of(Opcode.RANGE_SCAN_CREATE).withValue("{\"sampling\":{\"samples\":1}}");
        Session reader = session(subject(Role.parse("data_reader[orders:_default:carts]")), true);

        assertThat(send(reader, ofCarts)).isEqualTo(Status.KEY_ENOENT);
        assertThat(send(reader, ofDefault)).isEqualTo(Status.EACCESS);
        Session writer = session(subject(Role.parse("data_writer[orders]")), true);
        assertThat(send(writer, ofCarts)).isEqualTo(Status.EACCESS);
    }

    @Test
    void aBucketWithoutAnyRight_cannotBeSelected() {
        Session session = session(subject(Role.parse("data_reader[orders:_default:carts]")), false);

        assertThat(send(session, Call.of(Opcode.SELECT_BUCKET, BUCKET))).isEqualTo(Status.SUCCESS);
        assertThat(send(session, Call.of(Opcode.SELECT_BUCKET, "other"))).isEqualTo(Status.EACCESS);
        assertThat(send(session, Call.of(Opcode.SELECT_BUCKET, "absent"))).isEqualTo(Status.EACCESS);
    }

    @Test
    void aRightThatIsTakenAway_endsAtOnce() {
        Session session = session(subject(Role.ADMIN), false);
        assertThat(send(session, request(Opcode.GET))).isEqualTo(Status.KEY_ENOENT);

        subject(Role.parse("data_reader[other]"));
        assertThat(send(session, request(Opcode.GET))).isEqualTo(Status.EACCESS);

        user = Optional.empty();
        assertThat(send(session, request(Opcode.GET))).isEqualTo(Status.EACCESS);
    }

    private Subject subject(Role... roles) {
        Subject subject = Subject.user("ann", Subject.Domain.LOCAL, List.of(roles));
        user = Optional.of(subject);
        return subject;
    }

    private Session session(Subject subject, boolean collections) {
        Session session = new Session(false, "127.0.0.1", 50312);
        session.loggedIn(subject.name());
        session.grant(collections ? List.of(Feature.COLLECTIONS) : List.copyOf(EnumSet.noneOf(Feature.class)));
        session.select(store.catalog().find(BUCKET).join().orElseThrow());
        return session;
    }

    private static Resource resource(Permission permission) {
        return permission == Permission.BUCKET_ACCESS
                ? Resource.bucket(BUCKET)
                : Resource.keyspace(BUCKET, KEYSPACE.scope(), KEYSPACE.collection());
    }

    /** Returns a request of the form that the opcode has. */
    private Call request(Opcode opcode) {
        Command command = dispatcher.commands().get(opcode);
        if (command == null) {
            throw new AssertionError(opcode + " is not offered");
        }
        if (opcode == Opcode.SELECT_BUCKET) {
            return Call.of(opcode, BUCKET);
        }
        return Call.of(opcode)
                .withExtras(new byte[command.extras()[0]])
                .withKey(command.key() == Command.Part.NONE ? new byte[0] : new byte[] {'k'})
                .withValue(command.value() == Command.Part.NONE ? new byte[0] : new byte[] {'1', '2'});
    }

    private Status send(Session session, Call call) {
        EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(UNLIMITED));
        channel.writeInbound(Unpooled.wrappedBuffer(call.frame(1)));
        Request request = channel.readInbound();
        Response response = dispatcher.answer(session, request).join();
        return response.status();
    }
}
