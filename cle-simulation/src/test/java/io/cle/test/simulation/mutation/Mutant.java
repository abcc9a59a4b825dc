package io.cle.test.simulation.mutation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.cle.test.exploration.Hunt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Loads all classes of this project again, some of them mutated: their sources are changed and compiled in memory, the rest is unchanged. */
final class Mutant extends ClassLoader {

    private static final List<String> MODULES = List.of("cle-core", "cle-coordinator");
    private static final String OURS = "io.cle.";

    /** Shared by all mutants, so that the class path is opened and each class is read once. */
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);
    private static final Map<String, byte[]> ORIGINALS = new ConcurrentHashMap<>();

    private final Map<String, ByteArrayOutputStream> mutated;

    /**
     * Breaks the code.
     *
     * @throws AssertionError if the original text no longer occurs once, or the mutant doesn't compile
     */
    Mutant(Mutation mutation) {
        super(Mutant.class.getClassLoader());
        this.mutated = compile(sources(mutation));
    }

    private static Map<String, String> sources(Mutation mutation) {
        Map<String, String> sources = new HashMap<>();
        for (Mutation.Edit edit : mutation.edits()) {
            String source = sources.computeIfAbsent(edit.type(), Mutant::read);
            int at = source.indexOf(edit.original());
            if (at < 0 || source.indexOf(edit.original(), at + 1) >= 0) {
                throw new AssertionError("'" + edit.original() + "' no longer occurs exactly once in " + edit.type()
                        + "; adapt the mutation '" + mutation.what() + "'");
            }
            sources.put(edit.type(), source.replace(edit.original(), edit.mutated()));
        }
        return sources;
    }

    private static String read(String type) {
        List<Path> found = new ArrayList<>();
        try {
            for (String module : MODULES) {
                try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                    files.filter(file -> file.endsWith(type + ".java")).forEach(found::add);
                }
            }
            if (found.size() != 1) {
                throw new AssertionError("expected one source file of " + type + ", found " + found);
            }
            return Files.readString(found.get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, ByteArrayOutputStream> compile(Map<String, String> sources) {
        InMemory classes = new InMemory(FILES);
        StringWriter messages = new StringWriter();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((type, source) -> units.add(new Source(type, source)));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options = List.of("-proc:none", "-nowarn", "-classpath", classPath);
        if (!COMPILER.getTask(messages, classes, null, options, null, units).call()) {
            throw new AssertionError("a mutant doesn't compile: " + messages);
        }
        return classes.written;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        ByteArrayOutputStream changed = mutated.get(name);
        if (changed != null) {
            return defineClass(name, changed.toByteArray(), 0, changed.size());
        }
        byte[] original = ORIGINALS.get(name);
        if (original == null) {
            original = readClass(name);
            ORIGINALS.put(name, original);
        }
        return defineClass(name, original, 0, original.length);
    }

    private byte[] readClass(String name) throws ClassNotFoundException {
        try (InputStream original = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (original == null) {
                throw new ClassNotFoundException(name);
            }
            return original.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /**
     * Runs seeds of the mutated code until one finds something.
     *
     * @return what was found; null when nothing was
     */
    @Nullable
    String hunt(String kind, long first, int seeds, int candidates) {
        try {
            return (String) loadClass(SeedHunt.class.getName())
                    .getDeclaredMethod("hunt", String.class, long.class, int.class, int.class)
                    .invoke(null, kind, first, seeds, candidates);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the hunt has failed", e);
        }
    }

    /** Returns the seeds of the mutated code that find something. */
    long[] findings(String kind, long[] seeds) {
        try {
            return (long[]) loadClass(SeedHunt.class.getName())
                    .getDeclaredMethod("findings", String.class, long[].class)
                    .invoke(null, kind, seeds);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the hunt has failed", e);
        }
    }

    /**
     * Runs a method of a test with the mutated code.
     *
     * @param test {@code <class>#<method>}
     * @return what was found; null when nothing was
     */
    @Nullable
    String test(String test) {
        String[] parts = test.split("#", 2);
        try {
            Class<?> type = loadClass(parts[0]);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(BeforeEach.class)) {
                    method.setAccessible(true);
                    method.invoke(instance);
                }
            }
            Method method = type.getDeclaredMethod(parts[1]);
            method.setAccessible(true);
            method.invoke(instance);
            return null;
        } catch (InvocationTargetException e) {
            return test + ": " + e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the test can't be run: " + test, e);
        }
    }

    /**
     * Explores the mutated code.
     *
     * @param exploration the name of a directed exploration
     * @param mostStates after how many states it ends
     * @return what was found; null when nothing was
     */
    @Nullable
    String explore(String exploration, int mostStates) {
        try {
            return (String) loadClass(Hunt.class.getName())
                    .getDeclaredMethod("violation", String.class, int.class)
                    .invoke(null, exploration, mostStates);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the exploration has failed", e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String type, String text) {
            super(URI.create("string:///" + type + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        InMemory(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + className.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(className, bytes);
                    return bytes;
                }
            };
        }
    }
}
