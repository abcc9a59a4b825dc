package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads the documentation, by paths relative to the root of the project. */
final class Pages {

    private Pages() {}

    /** Returns the pages of the documentation. */
    static List<String> all() {
        try (Stream<Path> docs = Files.list(JarProcess.ROOT.resolve("docs"));
                Stream<Path> samples = Files.list(JarProcess.ROOT.resolve("samples"));
                Stream<Path> evidence = Files.list(JarProcess.ROOT.resolve("evidence"))) {
            return Stream.of(
                            docs.filter(page -> page.toString().endsWith(".md")),
                            Stream.concat(samples, evidence)
                                    .filter(program -> Files.exists(program.resolve("pom.xml")))
                                    .map(program -> program.resolve("README.md")),
                            Stream.of(
                                            "README.md",
                                            "CHANGELOG.md",
                                            "SECURITY.md",
                                            "CONTRIBUTING.md",
                                            "cle-simulation/README.md",
                                            "cle-coordinator-app/deploy/README.md",
                                            "cle-coordinator-app/deploy/legacy-lock/README.md",
                                            "cle-coordinator-app/deploy/helm/README.md")
                                    .map(JarProcess.ROOT::resolve))
                    .flatMap(Function.identity())
                    .map(page -> JarProcess.ROOT.relativize(page).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of all Java sources of the project. */
    static Set<String> javaTypes() {
        Set<String> names = new TreeSet<>();
        try {
            Files.walkFileTree(JarProcess.ROOT, new SimpleFileVisitor<>() {
                /** Other modules are built meanwhile: files in {@code target} may vanish. */
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
                    return directory.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java")) {
                        names.add(name.replace(".java", ""));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    static String read(String path) {
        return read(JarProcess.ROOT.resolve(path));
    }

    static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the rows of all tables of a page, including heads. */
    static List<List<String>> rows(String page) {
        return rows(read(page).lines().filter(line -> line.startsWith("|")).toList());
    }

    /** Returns the rows of the first table of a page whose head starts with {@code head}. */
    static List<List<String>> table(String page, String head) {
        List<String> lines = read(page).lines().toList();
        int start = 0;
        while (!lines.get(start).startsWith("| " + head)) {
            start++;
        }
        return rows(lines.subList(start + 2, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .toList());
    }

    /** Parses rows, without emphasis. */
    private static List<List<String>> rows(List<String> lines) {
        return lines.stream()
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.replace("**", "").strip())
                        .toList())
                .toList();
    }
}
