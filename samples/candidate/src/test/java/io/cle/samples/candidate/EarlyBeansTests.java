package io.cle.samples.candidate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Samples get copied. A bean that a post-processor needs is created before guards are applied, and Spring only logs that. */
@ExtendWith(OutputCaptureExtension.class)
class EarlyBeansTests {

    private static final Pattern CLASS = Pattern.compile("(?:class|record) (\\w+)[^{]*BeanPostProcessor[^{]*\\{");
    private static final Pattern PARAMETERS = Pattern.compile("@Bean[^(]*?(\\w+) \\w+\\(([^)]*)\\)");

    @Test
    void thisSampleCreatesNoBeanBeforeGuardsAreApplied(CapturedOutput output) {
        SpringApplication.run(CandidateApplication.class).close();

        assertThat(output).contains("Started ");
        assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
    }

    @Test
    void noSampleInjectsABeanIntoAPostProcessor() throws IOException {
        List<String> sources = sources();
        List<String> processors = Stream.concat(
                        Stream.of("BeanPostProcessor"),
                        sources.stream()
                                .flatMap(source -> CLASS.matcher(source).results())
                                .map(found -> found.group(1)))
                .toList();
        assertThat(processors).contains("AnnouncementWatch");

        List<String> parameters = sources.stream()
                .flatMap(source -> PARAMETERS.matcher(source).results())
                .filter(method -> processors.contains(method.group(1)))
                .map((MatchResult method) -> method.group(2))
                .toList();
        assertThat(parameters)
                .isNotEmpty()
                .allMatch(parameter -> parameter.isEmpty() || parameter.startsWith("ObjectProvider<"));
    }

    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> samples = Files.list(Path.of(".."))) {
            for (Path main : samples.map(sample -> sample.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .map(EarlyBeansTests::read)
                            .forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
