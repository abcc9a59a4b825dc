package io.cle.evidence.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An extracted Spring Boot jar and its AOT cache (JEP 483, 514 and 515), which has loaded and linked classes and
 * compiler profiles from a training run. Immutable.
 */
final class AotCache {

    /** The first Java version that writes a cache at the end of a training run. */
    static final int SINCE = 25;

    private final Path jar;
    private final Path cache;

    private AotCache(Path jar, Path cache) {
        this.jar = jar;
        this.cache = cache;
    }

    /** Returns whether this process's JVM, which contenders also use, supports such caches. */
    static boolean supported() {
        return Runtime.version().feature() >= SINCE;
    }

    /**
     * Extracts a jar, because the JVM caches no classes of nested jars.
     *
     * @param jar an executable jar of Spring Boot
     * @param directory an existing directory for the extracted jar and the cache
     * @throws IllegalStateException if the jar can't be extracted
     */
    static AotCache of(Path jar, Path directory) throws InterruptedException {
        Path extracted = directory.resolve(jar.getFileName() + "-extracted");
        try {
            int exit = new ProcessBuilder(
                            Lab.java(),
                            "-Djarmode=tools",
                            "-jar",
                            jar.toString(),
                            "extract",
                            "--destination",
                            extracted.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(jar + " can't be extracted to " + extracted + ": exit code " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot extract " + jar, e);
        }
        return new AotCache(extracted.resolve(jar.getFileName()), directory.resolve(jar.getFileName() + ".aot"));
    }

    /** Returns the command of a process that writes the cache when it ends. */
    List<String> training() {
        return List.of(Lab.java(), "-XX:AOTCacheOutput=" + cache, "-jar", jar.toString());
    }

    /** Returns the command of a process without the cache. */
    List<String> untrained() {
        return List.of(Lab.java(), "-jar", jar.toString());
    }

    /**
     * Returns the command of a process that starts from the cache.
     *
     * @throws IllegalStateException if the training run has written no cache; the JVM would silently start without one
     */
    List<String> cached() {
        if (!Files.isRegularFile(cache)) {
            throw new IllegalStateException("the training run has written no " + cache);
        }
        return List.of(Lab.java(), "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-jar", jar.toString());
    }
}
