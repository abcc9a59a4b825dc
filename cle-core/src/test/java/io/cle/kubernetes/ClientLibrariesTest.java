package io.cle.kubernetes;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.cle.kubernetes.ClientLibraries.Required;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ClientLibrariesTest {

    private static final String BUILDER =
            "package okhttp3; public class OkHttpClient { public static class Builder { %s } }";

    @TempDir
    private Path folder;

    @Test
    void theVersionsOfThisBuildHaveWhatIsRequired() {
        assertThatCode(ClientLibraries::check).doesNotThrowAnyException();
        assertThatCode(ClientLibraries::checkApiClient).doesNotThrowAnyException();
    }

    @Test
    void anOkHttpWithoutAMethodIsReportedWithItsVersionItsJarAndTheFix() throws Exception {
        IncompatibleLibraryException failure = failureWith(BUILDER.formatted(""), "okhttp-4.12.0.jar");

        assertThat(failure)
                .hasMessageContainingAll(
                        "com.squareup.okhttp3:okhttp is on the class path in version 4.12.0",
                        folder.resolve("okhttp-4.12.0.jar").toString(),
                        "okhttp3.OkHttpClient.Builder.fastFallback(boolean)");
        assertThat(failure.action()).contains("import io.cle:cle-bom", "before the BOM", "dependency:tree");
    }

    @Test
    void theArtifactOfTheJarIsNamedWhateverItsPlatform() throws Exception {
        assertThat(failureWith(BUILDER.formatted(""), "okhttp-jvm-5.0.0-alpha.1.jar"))
                .hasMessageContaining("com.squareup.okhttp3:okhttp-jvm is on the class path in version 5.0.0-alpha.1");
    }

    @Test
    void aMethodWithOtherParametersIsAnotherMethod() throws Exception {
        assertThat(failureWith(BUILDER.formatted("public void fastFallback(int i) {}"), "okhttp-9.0.jar"))
                .hasMessageContaining("version 9.0");
    }

    @Test
    void anArtifactThatIsMissingIsReported() throws Exception {
        IncompatibleLibraryException failure = failure(ClientLibraries.REQUIRED.get(0), new URL[0]);

        assertThat(failure).hasMessageContaining("com.squareup.okhttp3:okhttp is missing");
    }

    @ParameterizedTest
    @MethodSource("required")
    void whatIsRequiredIsCalledByThisLibrary(Required required) throws IOException {
        Path sources = Path.of("src/main/java/io/cle/kubernetes");
        try (Stream<Path> files = Files.walk(sources)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("ClientLibraries.java")))
                    .anySatisfy(file -> assertThat(Files.readString(file)).contains("." + required.method() + "("));
        }
    }

    static Stream<Required> required() {
        return Stream.concat(ClientLibraries.REQUIRED.stream(), Stream.of(ClientLibraries.API_CLIENT));
    }

    private IncompatibleLibraryException failureWith(String source, String jar) throws IOException {
        Path file = Files.writeString(folder.resolve("OkHttpClient.java"), source);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", folder.toString(), file.toString()))
                .isZero();
        Path made = folder.resolve(jar);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(made))) {
            for (String name : new String[] {"okhttp3/OkHttpClient.class", "okhttp3/OkHttpClient$Builder.class"}) {
                out.putNextEntry(new JarEntry(name));
                out.write(Files.readAllBytes(folder.resolve(name)));
            }
        }
        return failure(ClientLibraries.REQUIRED.get(0), new URL[] {made.toUri().toURL()});
    }

    private static IncompatibleLibraryException failure(Required required, URL[] classPath) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            return catchThrowableOfType(
                    IncompatibleLibraryException.class, () -> ClientLibraries.check(required, loader));
        }
    }
}
