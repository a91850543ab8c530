package io.millrace.benchmarks.subdoc;

import io.millrace.subdoc.Answer;
import io.millrace.subdoc.Answer.Edit;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.SubDocuments;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation on one document, from the bytes of the path to the value or the new document in a buffer. Also measures the
 * CPU time of the thread, because wall time is unreliable on a machine with other work.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 15, time = 60, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
public class SubdocBenchmark {

    /** The CPU time of the thread in one iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cpu {

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private long begin;
        private long spent;
        private long operations;

        @Setup(Level.Iteration)
        public void begin() {
            operations = 0;
            begin = THREADS.getCurrentThreadCpuTime();
        }

        @TearDown(Level.Iteration)
        public void end() {
            spent = THREADS.getCurrentThreadCpuTime() - begin;
        }

        /** CPU time in nanoseconds per operation. */
        public double cpu() {
            return operations == 0 ? 0 : (double) spent / operations;
        }
    }

    @Param("medium")
    public String size = "";

    @Param("get_last")
    public String row = "";

    private Row work = Row.GET_LAST;
    private Operation operation = Operation.GET;
    private byte[] document = {};
    private byte[] path = {};
    private byte[] value = {};
    private byte[] buffer = {};
    private List<Spec> specs = List.of();

    @Setup
    public void prepare() {
        work = Row.of(row);
        operation = work.operation();
        document = OrderDocuments.of(size);
        path = work.path(OrderDocuments.items(size)).getBytes(StandardCharsets.UTF_8);
        value = work.value().getBytes(StandardCharsets.UTF_8);
        buffer = new byte[document.length + 1024];
        specs = new ArrayList<>();
        for (String one : Row.sixteenPaths(OrderDocuments.items(size))) {
            specs.add(Spec.of(Operation.GET, one));
        }
    }

    @Benchmark
    public Object operation(Cpu cpu) {
        cpu.operations++;
        if (work == Row.LOOKUP_16) {
            return SubDocuments.lookUp(document, specs);
        }
        Answer answer = SubDocuments.run(operation, true, document, path, value);
        Edit edit = answer.edit();
        if (edit != null) {
            edit.writeTo(buffer, 0);
        }
        return answer;
    }
}
