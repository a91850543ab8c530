package io.millrace.eventing.functions;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.DeploymentConfig.BucketBinding;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.versions.FunctionOwner;
import io.millrace.users.UserDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a function must be allowed to do: manage functions in its function scope, read the changes of its source,
 * read and write its metadata, use its bindings, and store secrets if its code reads some. A function without an owner belongs
 * to the administrator: it was saved by an earlier version, or while the cluster was open.
 */
final class OwnerRights implements AutoCloseable {

    private static final String KEY_PREFIX = "key:";

    private final UserDirectory users;

    OwnerRights(UserDirectory users) {
        this.users = users;
    }

    UserDirectory users() {
        return users;
    }

    @Override
    public void close() {
        users.close();
    }

    /** Returns the owner of what a subject saves, or null for the administrator. */
    static @Nullable FunctionOwner ownerOf(Subject subject) {
        return switch (subject.domain()) {
            case LOCAL -> new FunctionOwner(subject.name(), false, List.of());
            case EXTERNAL ->
                new FunctionOwner(
                        subject.name(),
                        true,
                        subject.roles().stream().map(Role::toString).toList());
            case SERVICE, ANONYMOUS -> null;
        };
    }

    /** Returns what an owner may do now, or nothing if the owner does not exist any more. */
    Optional<Subject> subject(@Nullable FunctionOwner owner) {
        if (owner == null) {
            return Optional.of(Subject.open());
        }
        if (owner.external()) {
            return Optional.of(Subject.user(
                    owner.name(), Subject.Domain.EXTERNAL, Role.parseAll(String.join(",", owner.roles()))));
        }
        return owner.name().startsWith(KEY_PREFIX)
                ? users.key(owner.name().substring(KEY_PREFIX.length())).map(key -> key.subject())
                : users.subject(owner.name());
    }

    /** Fails with ERR_FORBIDDEN if a subject may not save a function. */
    void require(FunctionDefinition definition, Subject subject) {
        lacking(definition, subject).ifPresent(why -> {
            throw FunctionsException.of(ErrorCode.ERR_FORBIDDEN, why);
        });
    }

    /** Returns what a subject has saved over a function; who changes what it does becomes its owner, and must be allowed to. */
    StoredFunction saved(StoredFunction before, StoredFunction saved, Subject by) {
        if (Edits.sameWork(before.definition(), saved.definition())) {
            return saved;
        }
        require(saved.definition(), by);
        return saved.ownedBy(ownerOf(by));
    }

    /** Fails with ERR_FORBIDDEN if the owner of a function may not run it. */
    void require(StoredFunction function) {
        find(function, null).lacking().ifPresent(why -> {
            throw FunctionsException.of(ErrorCode.ERR_FORBIDDEN, why);
        });
    }

    /**
     * Why an owner may not run a function, or nothing; nothing as well until users are known.
     *
     * @param function null until users are known
     * @param owner what the owner may do, or nothing if there is none any more
     */
    record Finding(@Nullable StoredFunction function, Optional<Subject> owner, Optional<String> lacking) {

        /** Of users that are not known yet. */
        private static final Finding NONE = new Finding(null, Optional.empty(), Optional.empty());
    }

    /**
     * Finds out whether the owner of a function may run it now.
     *
     * @param last what was found for the function last, or null: it holds until the function or what its owner may do is another
     */
    Finding find(StoredFunction function, @Nullable Finding last) {
        if (!known(function.owner())) {
            return Finding.NONE;
        }
        Optional<Subject> subject = subject(function.owner());
        return last != null && last.function() == function && last.owner().equals(subject)
                ? last
                : new Finding(function, subject, lacking(function, subject));
    }

    private static Optional<String> lacking(StoredFunction function, Optional<Subject> subject) {
        FunctionOwner owner = function.owner();
        if (subject.isEmpty() && owner != null) {
            return Optional.of(
                    "The owner of the function, %s, does not exist any more. Save the function as another user."
                            .formatted(owner.name()));
        }
        return subject.flatMap(known -> lacking(function.definition(), known));
    }

    /** Returns whether it is known what an owner may do: not before the users have been read. */
    boolean known(@Nullable FunctionOwner owner) {
        return owner == null || owner.external() || users.ready();
    }

    /** Returns the roles that statements of a function have. */
    List<String> roles(@Nullable FunctionOwner owner) {
        return subject(owner).map(OwnerRights::names).orElse(List.of());
    }

    /** Returns the roles that statements have when a subject tries a function. */
    List<String> roles(Subject subject) {
        return ownerOf(subject) == null ? roles((FunctionOwner) null) : names(subject);
    }

    private static List<String> names(Subject subject) {
        return subject.roles().stream().map(Role::toString).toList();
    }

    private static Optional<String> lacking(FunctionDefinition definition, Subject subject) {
        List<String> missing = new ArrayList<>();
        FunctionName name = definition.name();
        DeploymentConfig deployment = definition.deployment();
        need(
                missing,
                subject,
                Permission.FUNCTIONS_MANAGE,
                Resource.functionScope(name.bucket(), name.scope()),
                "the function scope");
        if (deployment.events() == null) {
            need(missing, subject, Permission.DATA_DCP, place(deployment.source()), "the source");
        } else if (!Access.allowed(subject, Permission.STREAMS_READ, Resource.cluster())) {
            missing.add("%s (the source)".formatted(Permission.STREAMS_READ.label()));
        }
        need(missing, subject, Permission.DATA_READ, place(deployment.metadata()), "the metadata");
        need(missing, subject, Permission.DATA_WRITE, place(deployment.metadata()), "the metadata");
        if (!deployment.topics().isEmpty() && !Access.allowed(subject, Permission.STREAMS_WRITE, Resource.cluster())) {
            missing.add("%s (the topics)".formatted(Permission.STREAMS_WRITE.label()));
        }
        if (!definition.settings().secrets().names().isEmpty()) {
            need(missing, subject, Permission.FUNCTIONS_MANAGE, Resource.cluster(), "the secrets that the code reads");
        }
        for (BucketBinding binding : deployment.buckets()) {
            String what = "the binding " + binding.alias();
            need(missing, subject, Permission.DATA_READ, place(binding.target()), what);
            if (binding.writable()) {
                need(missing, subject, Permission.DATA_WRITE, place(binding.target()), what);
            }
        }
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("The roles of %s do not grant %s. Ask an administrator for roles that do."
                .formatted(subject.name(), missing.stream().distinct().collect(Collectors.joining(", "))));
    }

    /** Returns whether a subject may see what a function handles: documents of its source, events or messages. */
    static boolean readsSource(DeploymentConfig deployment, Subject subject) {
        return deployment.events() == null
                ? Access.allowed(subject, Permission.DATA_READ, place(deployment.source()))
                : Access.allowed(subject, Permission.STREAMS_READ, Resource.cluster());
    }

    /** Returns whether a subject may see what a function keeps, such as the contexts of its timers. */
    static boolean readsMetadata(DeploymentConfig deployment, Subject subject) {
        return Access.allowed(subject, Permission.DATA_READ, place(deployment.metadata()));
    }

    private static void need(
            List<String> missing, Subject subject, Permission permission, Resource resource, String what) {
        if (!Access.allowed(subject, permission, resource)) {
            missing.add("%s on %s (%s)".formatted(permission.label(), resource, what));
        }
    }

    /** A keyspace with wildcards is the scope or the bucket: a role must cover all of it. */
    private static Resource place(Keyspace keyspace) {
        if (keyspace.scope().equals(DeploymentConfig.WILDCARD)) {
            return Resource.bucket(keyspace.bucket());
        }
        return keyspace.collection().equals(DeploymentConfig.WILDCARD)
                ? Resource.scope(keyspace.bucket(), keyspace.scope())
                : Resource.keyspace(keyspace.bucket(), keyspace.scope(), keyspace.collection());
    }
}
