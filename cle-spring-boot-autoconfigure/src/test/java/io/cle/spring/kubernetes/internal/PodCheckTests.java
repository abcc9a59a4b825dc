package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.model.ObjectKey;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.properties.internal.SettingsFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class PodCheckTests {

    private final Map<String, String> environment = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
    private Optional<Duration> gracePeriod = Optional.empty();

    private void check(String... properties) {
        Map<String, String> map = new HashMap<>();
        for (String property : properties) {
            map.put(property.split("=")[0], property.split("=")[1]);
        }
        ConfiguredLeases leases = SettingsFixture.leases(map);
        new PodCheck(
                        environment::get,
                        leases,
                        Duration.ofSeconds(30),
                        pod -> {
                            assertThat(pod).isEqualTo(new ObjectKey("shop", "orders-7f9c"));
                            return CompletableFuture.completedFuture(gracePeriod);
                        },
                        new AtomicBoolean())
                .check()
                .toCompletableFuture()
                .join();
    }

    @Nested
    class Identity {

        @Test
        void theIdentityIsMissedWithTheVariablesAndTheConsequences(CapturedOutput output) {
            environment.put("POD_NAMESPACE", "shop");

            check();

            assertThat(output)
                    .contains("POD_NAME, POD_UID are not set")
                    .contains("a crash of the leader costs a whole lease duration")
                    .contains("fieldRef metadata.name");
        }

        @Test
        void theIdentityIsNotMissedOutsideOfACluster(CapturedOutput output) {
            environment.clear();

            check();

            assertThat(output).doesNotContain("POD_NAME");
        }

        @Test
        void theIdentityIsNotMissedByADirectLockWhichHasNoCandidate(CapturedOutput output) {
            check("cle.resource-lock=leases");

            assertThat(output).doesNotContain("POD_UID");
        }
    }

    @Nested
    class GracePeriod {

        private void inAPodWith(int seconds) {
            environment.put("POD_NAMESPACE", "shop");
            environment.put("POD_NAME", "orders-7f9c");
            environment.put("POD_UID", "uid-1");
            gracePeriod = Optional.of(Duration.ofSeconds(seconds));
        }

        @Test
        void gracePeriodIsReportedWithWhatItHasToHoldIfItIsTooShort(CapturedOutput output) {
            inAPodWith(30);

            check();

            assertThat(output)
                    .contains("pod shop/orders-7f9c: terminationGracePeriodSeconds is 30, and a stop may take 75 s")
                    .contains("30 s drain timeout of the lease orders, 10 s for two requests");
        }

        @Test
        void gracePeriodIsJudgedByTheSlowestLease(CapturedOutput output) {
            inAPodWith(75);

            check("cle.leases.reports.drain-timeout=60s");

            assertThat(output).contains("a stop may take 105 s (60 s drain timeout of the lease reports");
        }

        @Test
        void gracePeriodIsNotReportedIfItIsLongEnough(CapturedOutput output) {
            inAPodWith(75);

            check();

            assertThat(output).doesNotContain("terminationGracePeriodSeconds");
        }
    }
}
