package io.cle.samples.chaos;

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

/**
 * An append-only file that several processes share, and that refuses a fencing token below the highest one it has seen: the resource that
 * fencing tokens are for.
 */
final class FencedFile {

    private final Path file;

    FencedFile(Path file) {
        this.file = file;
    }

    /**
     * Appends a line under a token.
     *
     * @return false when the token was stale and nothing was written
     */
    boolean append(long token, String identity) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!lock.isValid() || token < highest(channel)) {
                return false;
            }
            ByteBuffer line = StandardCharsets.US_ASCII.encode(String.format("%020d %s%n", token, identity));
            channel.position(channel.size());
            while (line.hasRemaining()) {
                channel.write(line);
            }
            return true;
        }
    }

    /** The last line has the highest token, as lower ones are refused; lines are short. */
    private static long highest(FileChannel channel) throws IOException {
        long from = Math.max(0, channel.size() - 512);
        ByteBuffer tail = ByteBuffer.allocate((int) (channel.size() - from));
        int read = 0;
        while (tail.hasRemaining() && read >= 0) {
            read = channel.read(tail, from + tail.position());
        }
        String text = StandardCharsets.US_ASCII.decode(tail.flip()).toString().stripTrailing();
        if (text.isEmpty()) {
            return Long.MIN_VALUE;
        }
        String last = text.substring(text.lastIndexOf('\n') + 1);
        return Long.parseLong(last.substring(0, last.indexOf(' ')));
    }

    /** The tokens in the order in which they were written. */
    List<Long> tokens() throws IOException {
        List<Long> tokens = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                tokens.add(Long.parseLong(line.substring(0, line.indexOf(' '))));
            }
        }
        return tokens;
    }
}
