package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The manifests of the published jars. */
@EnabledIf(value = "built", disabledReason = "the jars are not built: run ./mvnw verify")
class ManifestTest {

    private static final String VERSION = JarProcess.version();

    static boolean built() {
        return JarProcess.built();
    }

    static Map<String, String> modules() {
        return Map.of(
                "cle-core", "io.cle",
                "cle-coordinator", "io.cle.election",
                "cle-test", "io.cle.test",
                "cle-spring-boot-autoconfigure", "io.cle.spring",
                "cle-spring-boot-starter", "io.cle.spring.starter",
                "cle-spring-boot-test", "io.cle.spring.test",
                "cle-fencing-jdbc", "io.cle.fencing.jdbc",
                "cle-coordinator-web", "io.cle.web");
    }

    /** cle-core sends its version as the user agent of its requests. */
    @ParameterizedTest
    @MethodSource("jars")
    void aJarSaysItsVersionAndItsModule(String artifact) throws IOException {
        Path path = JarProcess.ROOT.resolve(artifact).resolve("target").resolve(artifact + "-" + VERSION + ".jar");
        try (JarFile jar = new JarFile(path.toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();

            assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isEqualTo(VERSION);
            assertThat(manifest.getValue("Automatic-Module-Name"))
                    .isEqualTo(modules().get(artifact));
        }
    }

    static Iterable<String> jars() {
        return modules().keySet();
    }
}
