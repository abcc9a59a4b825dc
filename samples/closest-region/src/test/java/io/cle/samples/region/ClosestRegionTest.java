package io.cle.samples.region;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "takes half a minute; CI=true ./mvnw verify runs it")
class ClosestRegionTest {

    @Test
    void theClosestReplicaThatIsThereLeads() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();

        int exitCode = ClosestRegion.run(new PrintStream(written, true, StandardCharsets.UTF_8));

        String story = written.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(story).isEqualTo(Verdict.GOOD);
        assertThat(story)
                .containsSubsequence(
                        "us-east is started",
                        "us-east leads",
                        "eu-west is started",
                        "eu-west leads",
                        "asia-east is started",
                        "asia-east leads",
                        "asia-east is stopped",
                        "eu-west leads",
                        "asia-east is started",
                        "asia-east leads",
                        "The closest replica led after each step");
    }
}
