package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/** The application of docs/first-leader.md, compiled in an empty directory with the build's own libraries. */
final class FirstApplication {

    private static final String SOURCE = "src/main/java/com/example/orders/OrdersApplication.java";
    private static final String PROPERTIES = "src/main/resources/application.properties";

    /** The class path without these tests, whose logging isn't the application's. */
    private static final String LIBRARIES = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));

    private final Path directory;
    private final Path classes;

    private FirstApplication(Path directory) {
        this.directory = directory;
        classes = directory.resolve("target/classes");
    }

    /** Writes the page's files into a directory and compiles them. */
    static FirstApplication compile(Path directory) throws IOException {
        FirstApplication application = new FirstApplication(directory);
        Files.createDirectories(application.classes);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-proc:none",
                        "-d",
                        application.classes.toString(),
                        "-cp",
                        LIBRARIES,
                        application.write(SOURCE).toString());
        assertThat(result).as("the page's code compiles").isZero();
        Files.copy(application.write(PROPERTIES), application.classes.resolve("application.properties"));
        return application;
    }

    private Path write(String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, Steps.firstLeader().file(path));
    }

    /**
     * Starts the application like {@code spring-boot:run}.
     *
     * @param name of the file for its output
     */
    JarProcess run(String name, Map<String, String> environment, List<String> arguments) {
        return run(name, LIBRARIES, environment, arguments);
    }

    /** Starts the application with other libraries than the build's. */
    JarProcess run(String name, String libraries, Map<String, String> environment, List<String> arguments) {
        List<String> java = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + libraries,
                "com.example.orders.OrdersApplication"));
        java.addAll(arguments);
        return JarProcess.java(java, environment, directory.resolve(name + ".log"), directory);
    }
}
