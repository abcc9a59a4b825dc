package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records a process's terms in a file, updated at every check, so that they survive a kill. Each term is a line of
 * fixed length, with instants by {@link System#nanoTime()}.
 */
final class TermRecorder implements AutoCloseable {

    private static final int LENGTH = 63;

    private final RandomAccessFile file;
    private long lines;
    private long token = Long.MIN_VALUE;
    private long from;

    TermRecorder(Path path) throws IOException {
        file = new RandomAccessFile(path.toFile(), "rw");
        lines = file.length() / LENGTH;
    }

    /**
     * Records that this process was found leading.
     *
     * @param begun the start of the check
     * @param ended the end of the check
     */
    void leading(long currentToken, long begun, long ended) throws IOException {
        if (currentToken != token) {
            token = currentToken;
            from = ended;
            lines++;
            write(ended);
        } else {
            write(Math.max(begun, from));
        }
    }

    private void write(long to) throws IOException {
        file.seek((lines - 1) * LENGTH);
        file.write(String.format("%020d %020d %020d\n", token, from, to).getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the terms that a process has recorded. */
    static List<RecordedTerm> read(String process, Path path) throws IOException {
        List<RecordedTerm> terms = new ArrayList<>();
        if (Files.exists(path)) {
            for (String line : Files.readAllLines(path, StandardCharsets.US_ASCII)) {
                if (line.length() == LENGTH - 1) {
                    terms.add(new RecordedTerm(
                            process,
                            Long.parseLong(line.substring(0, 20)),
                            Long.parseLong(line.substring(21, 41)),
                            Long.parseLong(line.substring(42))));
                }
            }
        }
        return terms;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
