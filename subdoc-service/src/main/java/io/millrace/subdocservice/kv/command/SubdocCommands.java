package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.ANY;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.access.Permission;
import io.millrace.documents.DocumentKey;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request.Kind;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdocservice.kv.command.Command.Access;
import io.millrace.subdocservice.kv.command.SubdocFrames.Options;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.WriteOptions;
import io.millrace.subdocservice.traces.Client;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sub-document commands: requests with one operation, or with up to sixteen. */
final class SubdocCommands {

    private static final int PATH_EXTRAS = 3;
    private static final int[] SINGLE_LOOKUP = {3, 4};
    private static final int[] SINGLE_MUTATION = {3, 4, 7, 8, 11, 12};
    private static final int[] MULTI_LOOKUP = {0, 1};
    private static final int[] MULTI_MUTATION = {0, 1, 4, 5, 8, 9};

    private final DocumentAccess documents;
    private final SubDocumentExecutor executor;

    SubdocCommands(DocumentAccess documents, SubDocumentExecutor executor) {
        this.documents = documents;
        this.executor = executor;
    }

    Map<Opcode, Command> commands() {
        Map<Opcode, Command> table = new EnumMap<>(Opcode.class);
        for (Operation operation : Operation.values()) {
            if (!operation.wholeDocument()) {
                table.put(Objects.requireNonNull(Opcode.of(operation.code())), single(operation));
            }
        }
        table.put(Opcode.SUBDOC_MULTI_LOOKUP, multi(false, MULTI_LOOKUP));
        table.put(Opcode.SUBDOC_MULTI_MUTATION, multi(true, MULTI_MUTATION));
        return table;
    }

    private Command single(Operation operation) {
        boolean mutation = operation.mutation();
        int[] extras = mutation ? SINGLE_MUTATION : SINGLE_LOOKUP;
        return new Command(Access.BUCKET, needs(mutation), extras, SOME, ANY, mutation, (session, request) -> {
            Spec spec = SubdocFrames.single(operation, request);
            return run(session, request, Kind.SINGLE, List.of(spec), PATH_EXTRAS);
        });
    }

    private static Set<Permission> needs(boolean mutation) {
        return Set.of(mutation ? Permission.DATA_WRITE : Permission.DATA_READ);
    }

    private Command multi(boolean mutation, int[] extras) {
        return new Command(Access.BUCKET, needs(mutation), extras, SOME, ANY, mutation, (session, request) -> {
            List<Spec> specs = SubdocFrames.multi(request, mutation);
            return run(session, request, mutation ? Kind.MULTI_MUTATION : Kind.MULTI_LOOKUP, specs, 0);
        });
    }

    private CompletableFuture<Response> run(
            Session session, Request request, Kind kind, List<Spec> specs, int pathExtras) {
        if (request.head().datatype() != Datatypes.RAW) {
            throw CommandException.of(Status.EINVAL, "A sub-document request takes no datatype");
        }
        DocumentKey key = session.document(request);
        Options options = Options.of(request, pathExtras);
        io.millrace.subdoc.Request work = new io.millrace.subdoc.Request(
                kind, options.docFlags(), specs, DocumentAccess.expected(request), session.has(Feature.XATTR));
        return work.mutation()
                ? mutate(session, request, key, work, options)
                : executor.execute(key, work).thenApply(lookedUp(session, work));
    }

    private static Function<ExecutionResult, Response> lookedUp(Session session, io.millrace.subdoc.Request work) {
        int json = session.json();
        return executed -> {
            Response response = Response.of(status(executed))
                    .withCas(executed.locked() ? DocumentAccess.LOCKED_CAS : executed.cas());
            return work.kind() == Kind.SINGLE
                    ? singleValue(response, executed, work.specs().get(0), json)
                    : response.withValue(SubdocFrames.lookups(executed.results()));
        };
    }

    private CompletableFuture<Response> mutate(
            Session session, Request request, DocumentKey key, io.millrace.subdoc.Request work, Options options) {
        WriteOptions write = WriteOptions.defaults()
                .withExpiry(Expiries.of(options.expiry(), request.frameExtras().preserveTtl(), documents.now()));
        WriteOptions complete = options.hasFlags() ? write.withFlags(options.flags()) : write;
        Status locked = session.locked();
        int json = session.json();
        DocumentAccess.Success success = DocumentAccess.success(session, session.bucket(), key);
        Durability level = request.frameExtras().durability();
        Supplier<Client> client = DocumentAccess.client(session, request);
        return documents
                .durably(
                        level,
                        () -> documents.follow(
                                client,
                                key,
                                origin -> executor.execute(key, work, complete.withOrigin(origin)),
                                ExecutionResult::problem),
                        executed -> executed.status().success())
                .thenApply(executed -> mutated(executed, work, locked, json, success));
    }

    private static Response mutated(
            ExecutionResult executed,
            io.millrace.subdoc.Request work,
            Status locked,
            int json,
            DocumentAccess.Success success) {
        Status status = status(executed);
        if (!executed.status().success()) {
            Response response = Response.of(status == Status.LOCKED ? locked : status);
            return status == Status.SUBDOC_MULTI_PATH_FAILURE
                    ? response.withValue(SubdocFrames.failure(executed.results().get(0)))
                    : response;
        }
        Response response = success.of(executed.cas(), executed.seqno()).withStatus(status);
        return work.kind() == Kind.SINGLE
                ? singleValue(response, executed, work.specs().get(0), json)
                : response.withValue(SubdocFrames.values(executed.results()));
    }

    private static Response singleValue(Response response, ExecutionResult executed, Spec spec, int json) {
        if (executed.results().isEmpty()) {
            return response;
        }
        byte[] value = executed.results().get(0).value();
        boolean raw = value.length == 0 || (spec.flags() & PathFlag.BINARY_VALUE) != 0;
        return response.withValue(value).withDatatype(raw ? Datatypes.RAW : json);
    }

    /** Both libraries use the numbers of the protocol. */
    private static Status status(ExecutionResult executed) {
        return Objects.requireNonNull(Status.of(executed.status().code()));
    }
}
