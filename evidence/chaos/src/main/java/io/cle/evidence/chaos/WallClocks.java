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
 * Steps the wall clock of a single process with libfaketime (Debian's package of that name), which is loaded before
 * libc and reads an offset from a file. Monotonic clocks are unaffected. It works for JVMs; etcd and kube-apiserver
 * don't get the time from libc.
 */
final class WallClocks {

    private final Path library;

    private WallClocks(Path library) {
        this.library = library;
    }

    /** Returns empty if libfaketime isn't installed. */
    static Optional<WallClocks> find() {
        for (Path root : List.of(Path.of("/usr/lib"), Path.of("/usr/local/lib"))) {
            try (Stream<Path> files =
                    Files.find(root, 3, (path, unused) -> path.endsWith(Path.of("faketime", "libfaketimeMT.so.1")))) {
                Optional<Path> library = files.findFirst();
                if (library.isPresent()) {
                    return library.map(WallClocks::new);
                }
            } catch (IOException | UncheckedIOException e) {
                // The directory can't be read; try the next.
            }
        }
        return Optional.empty();
    }

    /** Returns the environment of a process whose offset is in a file. */
    Map<String, String> environment(Path offset) {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Otherwise timed waits of a JVM return at once, or late.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets the offset atomically, because the file is read on each clock access. */
    static void set(Path offset, Duration time) throws IOException {
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, String.format(Locale.ROOT, "%+.3f%n", time.toMillis() / 1000.0));
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
