package io.cle.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Applications whose leases a coordinator spreads over the replicas, on an API server. */
@ExtendWith(OutputCaptureExtension.class)
class GroupedApplicationTests extends OnCoordinatedServer {

    private static final List<String> LEASES = List.of("billing", "cleanup", "reports");

    private ConfigurableApplicationContext start(String identity, String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("--spring.application.name=shop", "--cle.candidate.binary-version=1.0.0"));
        all.addAll(Arrays.asList(arguments));
        return applications.start(identity, new Object(), List.of(), all.toArray(String[]::new));
    }

    private ConfigurableApplicationContext start(String identity) {
        return start(
                identity,
                LEASES.stream()
                        .map(lease -> "--cle.leases." + lease + ".group=jobs")
                        .toArray(String[]::new));
    }

    private static List<String> led(ConfigurableApplicationContext context) {
        LeaseLocks locks = context.getBean(LeaseLocks.class);
        return LEASES.stream().filter(lease -> locks.get(lease).isLeader()).toList();
    }

    @Test
    void threeReplicasLeadALeaseOfTheGroupEachByOneCandidateEach() {
        ConfigurableApplicationContext first = start("a");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(led(first)).hasSize(3));
        ConfigurableApplicationContext second = start("b");
        ConfigurableApplicationContext third = start("c");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Stream.of(first, second, third).map(GroupedApplicationTests::led))
                        .allMatch(leases -> leases.size() == 1));
        assertThat(Stream.of(first, second, third).flatMap(context -> led(context).stream()))
                .containsExactlyInAnyOrderElementsOf(LEASES);
        assertThat(first.getBean(LeaseLocks.class).get("billing").snapshot().identity())
                .isEqualTo("jobs-a");
    }

    @Test
    void theLeasesOfAReplicaThatStopsGoToTheOthers() {
        ConfigurableApplicationContext first = start("a");
        ConfigurableApplicationContext second = start("b");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(led(first)).isNotEmpty();
            assertThat(led(second)).isNotEmpty();
        });

        applications.end("a");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(led(second)).hasSize(3));
    }

    @Test
    void aLeaseThatReplicasLedBeforeThereWasAGroupMovesIntoItWithItsLeaders() {
        ConfigurableApplicationContext before = start(
                "a", LEASES.stream().map(lease -> "--cle.leases." + lease + "=").toArray(String[]::new));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(led(before)).hasSize(3));
        ConfigurableApplicationContext after = start("b");

        applications.end("a");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(led(after)).hasSize(3));
    }

    @Test
    void aResignedLeaseOfTheGroupGoesToTheOtherReplicaAndStaysThere() {
        ConfigurableApplicationContext first = start("a");
        ConfigurableApplicationContext second = start("b");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(led(first)).isNotEmpty();
            assertThat(led(second)).isNotEmpty();
        });
        String lease = led(first).get(0);
        CoordinatedLeaseLock lock = first.getBean(LeaseLocks.class).get(lease);

        lock.resign();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(led(second)).contains(lease));
    }

    @Test
    void theStartNamesTheGroupOfEachLease(CapturedOutput output) {
        start("a", "--cle.leases.billing.group=jobs", "--cle.leases.reports.group=jobs");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(output)
                        .contains("Lease billing: is a candidate for default/billing in the group jobs as 'jobs-a'")
                        .contains("Lease reports: is a candidate for default/reports in the group jobs as 'jobs-a'"));
    }
}
