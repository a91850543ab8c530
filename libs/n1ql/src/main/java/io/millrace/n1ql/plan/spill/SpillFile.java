package io.millrace.n1ql.plan.spill;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Rows of values in a file: written to its end, then read from its beginning. The file has no name as soon as it is
 * open, so nothing is left of it when the process ends, however it ends.
 */
public final class SpillFile implements AutoCloseable {

    private static final int BUFFER_BYTES = 32 << 10;

    private final Execution execution;
    private final FileChannel channel;
    private final DataOutputStream out;
    private long rows;
    private long counted;

    public SpillFile(Execution execution) {
        this.execution = execution;
        try {
            Path path = Files.createTempFile("millrace-query-", ".rows");
            // closed by close()
            this.channel = new RandomAccessFile(path.toFile(), "rw").getChannel();
            Files.delete(path);
            this.out = new DataOutputStream(new BufferedOutputStream(new Counted(channel), BUFFER_BYTES));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Counts bytes against what the statement may write, a buffer at a time. */
    private final class Counted extends FilterOutputStream {

        Counted(FileChannel channel) {
            super(Channels.newOutputStream(channel));
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            execution.countSpilled(length);
            counted += length;
            out.write(bytes, from, length);
        }
    }

    private static QueryException failed(IOException e) {
        return QueryException.noSpill(e.getMessage() == null ? e.toString() : e.getMessage());
    }

    public long rows() {
        return rows;
    }

    /** Writes the next row. */
    public void write(@Nullable Value[] row) {
        try {
            out.writeInt(row.length);
            for (Value value : row) {
                out.writeBoolean(value != null);
                if (value != null) {
                    ValueBytes.write(value, out);
                }
            }
            rows++;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Reads all rows; nothing may be written any more, and one reader follows the other. Closing the cursor closes the file. */
    public Cursor<@Nullable Value[]> read() {
        DataInputStream in;
        try {
            out.flush();
            channel.position(0);
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
        } catch (IOException e) {
            throw failed(e);
        }
        return new Cursor<>() {
            private long left = rows;

            @Override
            public @Nullable Value @Nullable [] next() {
                if (left == 0) {
                    return null;
                }
                left--;
                try {
                    @Nullable Value[] row = new Value[in.readInt()];
                    for (int i = 0; i < row.length; i++) {
                        row[i] = in.readBoolean() ? ValueBytes.read(in) : null;
                    }
                    return row;
                } catch (IOException e) {
                    throw failed(e);
                }
            }

            @Override
            public void close() {
                SpillFile.this.close();
            }
        };
    }

    @Override
    public void close() {
        if (channel.isOpen()) {
            execution.countSpilled(-counted);
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
