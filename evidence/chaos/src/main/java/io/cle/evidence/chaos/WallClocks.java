package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Steps the wall clock of a single process, by libfaketime (Debian's package of that name), which is loaded before libc and takes an offset
 * from a file. Their monotonic clocks stay the machine's. It works for JVMs; etcd and kube-apiserver don't ask libc for the time.
 */
final class WallClocks {

    private final Path library;

    private WallClocks(Path library) {
        this.library = library;
    }

    /** Empty if libfaketime isn't installed. */
    static Optional<WallClocks> find() {
        for (Path root : List.of(Path.of("/usr/lib"), Path.of("/usr/local/lib"))) {
            try (Stream<Path> files =
                    Files.find(root, 3, (path, unused) -> path.endsWith(Path.of("faketime", "libfaketimeMT.so.1")))) {
                Optional<Path> library = files.findFirst();
                if (library.isPresent()) {
                    return library.map(WallClocks::new);
                }
            } catch (IOException | UncheckedIOException e) {
                // That directory can't be read: not there.
            }
        }
        return Optional.empty();
    }

    /** The environment of a process whose offset is in a file. */
    Map<String, String> environment(Path offset) {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Otherwise timed waits of a JVM return at once, or late.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets the offset, at once and as a whole: the file is read with each look at the clock. */
    static void set(Path offset, Duration time) throws IOException {
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, String.format(Locale.ROOT, "%+.3f%n", time.toMillis() / 1000.0));
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
