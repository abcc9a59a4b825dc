package io.cle.spring.kubernetes.internal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that the members of OkHttp and client-java in our classes' constant pools exist in the versions that a
 * platform may choose: this build's, and those of Spring Cloud's BOM, which the build copies to a folder.
 */
class LibraryVersionsTests {

    private static final Path OLDER = Path.of("target", "older-libraries");

    /** A field, method or constructor that a class refers to. */
    private record Reference(String owner, String name, String descriptor) {

        boolean isIn(ClassLoader loader) {
            try {
                Class<?> type = Class.forName(owner.replace('/', '.'), false, loader);
                if (!descriptor.startsWith("(")) {
                    return type.getField(name).getType().descriptorString().equals(descriptor);
                }
                Stream<MethodType> found = name.equals("<init>")
                        ? Arrays.stream(type.getConstructors())
                                .map(each -> MethodType.methodType(void.class, each.getParameterTypes()))
                        : Arrays.stream(type.getMethods())
                                .filter(each -> each.getName().equals(name))
                                .map(each -> MethodType.methodType(each.getReturnType(), each.getParameterTypes()));
                return found.anyMatch(each -> each.toMethodDescriptorString().equals(descriptor));
            } catch (ReflectiveOperationException | LinkageError e) {
                return false;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no older one", "okhttp", "client-java", "okhttp client-java"})
    void everyReferenceOfOurClassesResolvesInEachPairOfVersions(String older) throws Exception {
        Set<String> missing = new TreeSet<>();
        int count = 0;
        try (URLClassLoader libraries = libraries(older)) {
            for (Class<?> ours : List.of(KubernetesAccess.class, CleKubernetesAutoConfiguration.class)) {
                for (Reference reference : references(ours)) {
                    count++;
                    if (!reference.isIn(libraries)) {
                        missing.add(reference.toString());
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(50);
    }

    /** Returns a class loader with the chosen older libraries and otherwise this test's class path. */
    private static URLClassLoader libraries(String older) throws IOException {
        List<URL> jars = new ArrayList<>();
        for (File jar : OLDER.toFile().listFiles()) {
            boolean ofOkHttp = jar.getName().startsWith("ok");
            if (older.contains(ofOkHttp ? "okhttp" : "client-java")) {
                jars.add(jar.toURI().toURL());
            }
        }
        return new URLClassLoader(jars.toArray(URL[]::new), LibraryVersionsTests.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                boolean isOlder = findResource(name.replace('.', '/') + ".class") != null;
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : isOlder ? findClass(name) : super.loadClass(name, resolve);
            }
        };
    }

    /** Returns the references from an artifact's classes to OkHttp and client-java. */
    private static Set<Reference> references(Class<?> ofArtifact) throws Exception {
        Path location = Path.of(
                ofArtifact.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(location)) {
            return references(location);
        }
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
            return references(jar.getPath("/"));
        }
    }

    private static Set<Reference> references(Path root) throws IOException {
        Set<Reference> references = new LinkedHashSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    read(new DataInputStream(new BufferedInputStream(in)), references);
                }
            }
        }
        return references;
    }

    /** Reads a class file's constant pool (Java Virtual Machine Specification, 4.4). */
    private static void read(DataInputStream in, Set<Reference> references) throws IOException {
        in.skipNBytes(8);
        int size = in.readUnsignedShort();
        String[] texts = new String[size];
        int[][] pairs = new int[size][];
        List<int[]> members = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7, 8, 16, 19, 20 -> pairs[i] = new int[] {in.readUnsignedShort()};
                case 9, 10, 11, 12, 17, 18 -> pairs[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                case 15 -> in.skipNBytes(3);
                case 3, 4 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                default -> throw new IOException("unknown tag " + tag);
            }
            if (tag >= 9 && tag <= 11) {
                members.add(pairs[i]);
            }
        }
        for (int[] member : members) {
            String owner = texts[pairs[member[0]][0]];
            int[] nameAndType = pairs[member[1]];
            if (owner.matches("(okhttp3|okio|io/kubernetes)/.*")) {
                references.add(new Reference(owner, texts[nameAndType[0]], texts[nameAndType[1]]));
            }
        }
    }
}
