package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An append-only file that several processes share: the resource that fencing tokens protect. It refuses a token below
 * the highest one seen. Refused writes are recorded, too.
 *
 * <p>After a restore of etcd, an administrator resets the highest token and discards requests in flight
 * (docs/administration.md#restore-etcd-from-a-backup): the file refuses writes that were sent before.
 */
final class FencedFile {

    private static final String ACCEPTED = "accepted";
    private static final String REFUSED = "refused";
    private static final String RESTORED = "restored";

    private final Path file;

    FencedFile(Path file) {
        this.file = file;
    }

    /**
     * Appends a line under a token.
     *
     * @param sent when the writer read its token, by {@link System#nanoTime()}
     * @return false if the token was stale
     */
    boolean append(long token, String identity, long sent) throws IOException {
        try (FileChannel channel = open();
                FileLock lock = channel.lock()) {
            Line last = last(channel);
            boolean stale = !lock.isValid() || (last != null && (token < last.highest || sent < last.restored));
            long highest = stale && last != null ? last.highest : token;
            long restored = last == null ? Long.MIN_VALUE : last.restored;
            write(channel, new Line(System.nanoTime(), identity, token, stale ? REFUSED : ACCEPTED, highest, restored));
            return !stale;
        }
    }

    /**
     * Resets the highest token, and refuses writes that were sent before now.
     *
     * @return now, by {@link System#nanoTime()}
     */
    long restored() throws IOException {
        try (FileChannel channel = open();
                FileLock lock = channel.lock()) {
            if (!lock.isValid()) {
                throw new IOException(file + " can't be locked");
            }
            long now = System.nanoTime();
            write(channel, new Line(now, "administrator", 0, RESTORED, 0, now));
            return now;
        }
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel channel, Line line) throws IOException {
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line.text());
        channel.position(channel.size());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Reads the last line, which is short and has the highest token. */
    private static @Nullable Line last(FileChannel channel) throws IOException {
        long from = Math.max(0, channel.size() - 512);
        ByteBuffer tail = ByteBuffer.allocate((int) (channel.size() - from));
        int read = 0;
        while (tail.hasRemaining() && read >= 0) {
            read = channel.read(tail, from + tail.position());
        }
        String text = StandardCharsets.US_ASCII.decode(tail.flip()).toString().stripTrailing();
        return text.isEmpty() ? null : Line.parse(text.substring(text.lastIndexOf('\n') + 1));
    }

    /** Returns all writes, in order, with their instants by {@link System#nanoTime()}. */
    List<History.Write> writes() throws IOException {
        List<History.Write> writes = new ArrayList<>();
        if (Files.exists(file)) {
            for (String text : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                Line line = Line.parse(text);
                if (!line.outcome.equals(RESTORED)) {
                    writes.add(new History.Write(line.at, line.identity, line.token, line.outcome.equals(ACCEPTED)));
                }
            }
        }
        return writes;
    }

    /**
     * A line.
     *
     * @param highest the highest token that was accepted up to here
     * @param restored when etcd was last restored
     */
    private record Line(long at, String identity, long token, String outcome, long highest, long restored) {

        String text() {
            return at + " " + identity + " " + token + " " + outcome + " " + highest + " " + restored + "\n";
        }

        static Line parse(String text) {
            String[] words = text.split(" ", -1);
            return new Line(
                    Long.parseLong(words[0]),
                    words[1],
                    Long.parseLong(words[2]),
                    words[3],
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]));
        }
    }
}
