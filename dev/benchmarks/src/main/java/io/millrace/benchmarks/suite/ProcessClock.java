package io.millrace.benchmarks.suite;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.IntByReference;
import java.time.Duration;
import java.util.Optional;

/**
 * The CPU clocks of processes, which the kernel counts in nanoseconds; what it tells about a process otherwise has steps of 10 ms,
 * longer than a short turn of a benchmark can bear. Linux only.
 */
final class ProcessClock {

    private static final Optional<Clocks> CLOCKS =
            Platform.isLinux() ? Optional.of(Native.load("c", Clocks.class)) : Optional.empty();

    private ProcessClock() {}

    /** Returns the CPU time of a process and of its threads that have ended, nothing if there is no such clock. */
    static Optional<Duration> read(long pid) {
        return CLOCKS.flatMap(clocks -> read(clocks, (int) pid));
    }

    private static Optional<Duration> read(Clocks clocks, int pid) {
        IntByReference clock = new IntByReference();
        Time time = new Time();
        return clocks.clock_getcpuclockid(pid, clock) == 0 && clocks.clock_gettime(clock.getValue(), time) == 0
                ? Optional.of(Duration.ofSeconds(time.seconds.longValue(), time.nanos.longValue()))
                : Optional.empty();
    }

    /** The functions of the C library, under their names there. */
    interface Clocks extends Library {

        int clock_getcpuclockid(int pid, IntByReference clock);

        int clock_gettime(int clock, Time time);
    }

    /** A {@code timespec}. */
    @FieldOrder({"seconds", "nanos"})
    public static final class Time extends Structure {
        public NativeLong seconds = new NativeLong();
        public NativeLong nanos = new NativeLong();
    }
}
