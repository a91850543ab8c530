package io.millrace.worker.bindings;

import io.millrace.documents.Origin;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import io.millrace.n1ql.CompiledStatement;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.worker.WorkerLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The queries of one handler thread, run on a thread of their own: with a stack that handlers do not use, and without
 * counting what they allocate against the handler's limit. See {@code RATIONALE.md}, "Queries".
 */
final class QueryRunner {

    private final QueryBinding binding;
    private @Nullable ExecutorService thread;
    private List<String> statements = List.of();
    private @Nullable StatementRights publicRights;

    QueryRunner(QueryBinding binding) {
        this.binding = binding;
    }

    /** Takes the statements that stand in the code which runs from now on. */
    void runs(List<String> ofCode) {
        statements = ofCode;
        publicRights = null;
    }

    private StatementRights rights(boolean isPublic) {
        if (!isPublic) {
            return binding.rights();
        }
        StatementRights made = publicRights == null ? binding.publicRights(statements) : publicRights;
        publicRights = made;
        return made;
    }

    /**
     * Begins a statement.
     *
     * @param isPublic whether it runs for a request to a public function, on what the function names alone
     * @param origin the origin of its changes
     * @param by whose statement it is, and how long the store may keep that waiting
     */
    QueryRows begin(QueryCall call, boolean isPublic, @Nullable Origin origin, Invocation by) throws HostFailure {
        Result result = new Result(call, rights(isPublic), by);
        result.fill(() -> {
            binding.writeAs(origin);
            return result.begin();
        });
        return result;
    }

    private ExecutorService thread() {
        ExecutorService made = thread;
        if (made == null) {
            made = Executors.newSingleThreadExecutor(body -> {
                Thread named = HandlerEngine.newThread(Thread.currentThread().getName() + "-queries", body);
                named.setDaemon(true);
                return named;
            });
            thread = made;
        }
        return made;
    }

    /** Stops a statement that runs, and waits until it writes no more. */
    void close() {
        ExecutorService made = thread;
        if (made != null) {
            made.shutdownNow();
            made.close();
        }
    }

    /** Runs work on the other thread and waits for it; a late result is discarded. */
    private <T> T on(Callable<T> work, QueryCall.Service service, Invocation by) throws HostFailure {
        Future<T> answer = thread().submit(work);
        try {
            return answer.get(by.giveUpNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof QueryException failure) {
                if (failure.errorCode() == ErrorCode.UNAVAILABLE) {
                    by.met(StoreOutage.away(String.valueOf(failure.getMessage())));
                }
                throw binding.failure(service, failure);
            }
            throw new IllegalStateException("A query failed unexpectedly", e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw binding.timedOut(service);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw binding.stopped(service);
        }
    }

    /** Rows that travel from thread to thread by the batch; the first batches are small, as most loops are short. */
    private final class Result implements QueryRows {

        private final QueryCall call;
        private final StatementRights rights;
        private final Invocation by;
        private final long giveUpNanos;
        private final Queue<byte[]> waiting = new ArrayDeque<>();
        private volatile @Nullable Rows rows;
        private int batch = 1;
        private boolean ended;
        private volatile boolean abandoned;

        private Result(QueryCall call, StatementRights rights, Invocation by) {
            this.call = call;
            this.rights = rights;
            this.by = by;
            this.giveUpNanos = by.giveUpNanos();
        }

        /** Runs the statement, repeats it while the store is away if that is safe, and reads the first rows. */
        private Batch begin() throws InterruptedException {
            RepairPauses pauses = new RepairPauses();
            while (true) {
                try {
                    CompiledStatement statement = binding.engine().prepare(call.statement());
                    Rows running = statement.run(options());
                    rows = running;
                    if (abandoned) {
                        running.close();
                    }
                    return read(running);
                } catch (QueryException e) {
                    Duration pause = pauses.next();
                    boolean again = e.retry()
                            && !binding.engine().prepare(call.statement()).changes()
                            && giveUpNanos - System.nanoTime() > 2 * pause.toNanos();
                    if (!again) {
                        throw e;
                    }
                    Time.SYSTEM.sleep(pause);
                }
            }
        }

        private QueryOptions options() {
            Map<String, Value> named = new HashMap<>();
            if (Json.parse(call.named()) instanceof ObjectValue values) {
                named.putAll(values.fields());
            }
            List<Value> positional = new ArrayList<>();
            if (Json.parse(call.positional()) instanceof ArrayValue values) {
                values.forEach(positional::add);
            }
            long left = Math.max(1, (giveUpNanos - System.nanoTime()) / 1_000_000);
            return QueryOptions.DEFAULT
                    .withRights(rights)
                    .withNamed(named)
                    .withPositional(positional)
                    .withTimeout(Duration.ofMillis(left))
                    .withClientContextId(call.clientContextId().isEmpty() ? null : call.clientContextId());
        }

        private record Batch(List<byte[]> rows, boolean last) {}

        private Batch read(Rows running) {
            List<byte[]> read = new ArrayList<>(batch);
            int bytes = 0;
            while (read.size() < batch && bytes < WorkerLimits.QUERY_BATCH_BYTES) {
                Value row = running.next();
                if (row == null) {
                    return new Batch(read, true);
                }
                byte[] json = row.toJsonBytes();
                bytes += json.length;
                read.add(json);
            }
            return new Batch(read, false);
        }

        private void fill(Callable<Batch> reading) throws HostFailure {
            try {
                Batch got = on(reading, call.service(), by);
                waiting.addAll(got.rows());
                ended = got.last();
                batch = Math.min(2 * batch, WorkerLimits.QUERY_BATCH_ROWS);
            } catch (HostFailure | RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public byte @Nullable [] next() throws HostFailure {
            Rows running = rows;
            if (waiting.isEmpty() && !ended && running != null) {
                fill(() -> read(running));
            }
            return waiting.poll();
        }

        @Override
        public boolean isEmpty() {
            return ended && waiting.isEmpty();
        }

        /** Leaves the closing to the thread that reads, which may be in the middle of it. */
        @Override
        public void close() {
            abandoned = true;
            Rows running = rows;
            if (running != null && !ended) {
                running.cancel();
                thread().execute(running::close);
            }
            ended = true;
            waiting.clear();
        }
    }
}
