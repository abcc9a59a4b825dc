package io.cle.test.apiserver.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Directories and credentials of a control plane.
 *
 * @param programs the directory with the server and {@code etcd}
 * @param directory a temporary directory for their data and logs
 * @param credentials the credentials of kube-apiserver and its user
 */
record Home(Path programs, Path directory, Credentials credentials) {

    /** Creates the directory, with the files that processes need to start. */
    static Home of(Assets assets) {
        Path programs = assets.directory()
                .orElseThrow(() -> new IllegalStateException(assets.variable()
                        + " is not set: it must name the directory that holds " + assets.server() + " and etcd"));
        try {
            Path directory = Files.createTempDirectory("cle-api-server-");
            return new Home(programs, directory, Credentials.create(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path kubeconfig() {
        return resolve("kubeconfig");
    }

    Path resolve(String name) {
        return directory.resolve(name);
    }

    void remove() {
        remove(directory);
    }

    static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + from, e);
        }
    }

    /** Removes a directory with its contents, if it exists. */
    static void remove(Path top) {
        if (!Files.exists(top)) {
            return;
        }
        try (Stream<Path> files = Files.walk(top)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the data of a test's API server in " + top, e);
        }
    }
}
