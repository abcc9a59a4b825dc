package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the licences in the coordinator's bill of materials. */
@EnabledIf(value = "built", disabledReason = "the bill of materials is not made yet: run ./mvnw verify")
class LicencesTest {

    private static final Path BILL =
            JarProcess.ROOT.resolve("cle-coordinator-app/target/classes/META-INF/sbom/application.cdx.json");

    /** Licences that may be shipped together with this project's Apache-2.0. If a library has several licences, one of these is enough. */
    private static final Set<String> ACCEPTED = Set.of(
            "Apache-2.0", "MIT", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "CC0-1.0", "Bouncy Castle Licence");

    static boolean built() {
        return Files.exists(BILL);
    }

    @Test
    void everyLibraryHasALicenceThatIsAccepted() throws IOException {
        assertThat(components())
                .isNotEmpty()
                .allSatisfy(component -> assertThat(licences(component))
                        .as("%s; a new licence needs a decision, and its place in ACCEPTED", name(component))
                        .containsAnyElementsOf(ACCEPTED));
    }

    @Test
    void theBillNamesWhatTheCoordinatorIsMadeOf() throws IOException {
        assertThat(components().stream().map(LicencesTest::name))
                .contains("io.cle:cle-core", "io.kubernetes:client-java", "org.springframework.boot:spring-boot");
    }

    @Test
    void noLibraryOfTheTestsIsShipped() throws IOException {
        assertThat(components().stream().map(LicencesTest::name))
                .doesNotContain("io.cle:cle-test", "org.junit.jupiter:junit-jupiter");
    }

    /** client-java's protobuf messages would add 9 MB. */
    @Test
    void noMessagesThatTheCoordinatorDoesNotUseAreInItsJar() throws IOException {
        try (JarFile jar = new JarFile(JarProcess.COORDINATOR.toFile())) {
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.startsWith("BOOT-INF/lib/client-java")))
                    .isNotEmpty()
                    .noneMatch(name -> name.contains("-proto-"));
        }
    }

    private static List<JsonObject> components() throws IOException {
        List<JsonObject> components = new ArrayList<>();
        JsonParser.parseString(Files.readString(BILL))
                .getAsJsonObject()
                .getAsJsonArray("components")
                .forEach(component -> components.add(component.getAsJsonObject()));
        return components;
    }

    private static String name(JsonObject component) {
        return component.get("group").getAsString() + ":"
                + component.get("name").getAsString();
    }

    private static List<String> licences(JsonObject component) {
        List<String> names = new ArrayList<>();
        for (JsonElement choice : component.getAsJsonArray("licenses")) {
            JsonObject licence = choice.getAsJsonObject().getAsJsonObject("license");
            if (licence != null) {
                names.add(licence.get(licence.has("id") ? "id" : "name").getAsString());
            }
        }
        return names;
    }
}
