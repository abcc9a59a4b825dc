package io.cle.spring.lock.internal;

import java.util.Properties;

import io.cle.lock.internal.LockThreads;
import io.cle.spring.FakeLock;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ElectionLogTests {

    private static final String WARNING = "This program's version isn't known";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withPropertyValues("spring.application.name=orders", "cle.leases.reports.namespace=office");

    private static ApplicationContextRunner built(ApplicationContextRunner runner, String version) {
        Properties build = new Properties();
        build.setProperty("version", version);
        return runner.withBean(BuildProperties.class, () -> new BuildProperties(build));
    }

    private static String logOf(ApplicationContextRunner runner, CapturedOutput output) {
        runner.run(context -> {
            ElectionLog log = context.getBean(ElectionLog.class);
            context.getBean(LeaseLocks.class).asMap().forEach(log::customize);
        });
        return output.toString();
    }

    @Test
    void warnsOnceForAllLeasesThatTheVersionOfTheBuildIsNone(CapturedOutput output) {
        String log = logOf(built(runner, "unspecified"), output);

        assertThat(log.split(WARNING, -1)).hasSize(2);
        assertThat(log).contains("'unspecified' of the build info").contains("cle.candidate.binary-version");
    }

    @Test
    void warnsOnceForAllLeasesThatThereIsNoVersion(CapturedOutput output) {
        String log = logOf(runner, output);

        assertThat(log.split(WARNING, -1)).hasSize(2);
        assertThat(log).contains("neither the build info nor the manifest has one");
    }

    @Test
    void warnsOfAKeyThatTheComparisonDoesNotKnow(CapturedOutput output) {
        String[] direct = {"cle.resource-lock=leases", "cle.candidate.key-comparison=paris,dublin"};

        assertThat(logOf(runner.withPropertyValues(direct).withPropertyValues("cle.candidate.key=pariss"), output))
                .contains("the key 'pariss' can't be compared by cle.candidate.key-comparison = 'paris, dublin'");
    }

    @Test
    void warnsNotOfAKeyThatIsKnownOrEmpty(CapturedOutput output) {
        String[] direct = {"cle.resource-lock=leases", "cle.candidate.key-comparison=paris,dublin"};

        assertThat(logOf(
                        runner.withPropertyValues(direct)
                                .withPropertyValues("cle.candidate.key=paris", "cle.leases.reports.candidate.key="),
                        output))
                .contains("is a candidate")
                .doesNotContain("can't be compared", WARNING);
    }

    @Test
    void warnsThatTheVersionThatIsAKeyIsNotKnown(CapturedOutput output) {
        String[] direct = {"cle.resource-lock=leases", "cle.candidate.key-comparison=newest-version"};

        assertThat(logOf(runner.withPropertyValues(direct), output)).contains(WARNING);
    }

    @Test
    void warnsNotOfAVersionThatIsKnown(CapturedOutput output) {
        assertThat(logOf(built(runner, "1.2.3.Final"), output))
                .contains("version 1.2.3,")
                .doesNotContain(WARNING);
    }

    /** Environment variables from the downward API set the identity of a pod. */
    @Nested
    class IdentityOfThePod {

        private static final String MISSING = "POD_NAME, POD_UID and POD_NAMESPACE aren't all set";

        private final ApplicationContextRunner inPod =
                runner.withPropertyValues("KUBERNETES_SERVICE_HOST=10.0.0.1", "POD_NAMESPACE=shop");

        @Test
        void identityOfThePodIsMissedOnceForAllLeases(CapturedOutput output) {
            String log = logOf(inPod, output);

            assertThat(log.split(MISSING, -1)).hasSize(2);
            assertThat(log)
                    .contains("a crash of the leader costs a whole lease duration")
                    .contains("fieldRef metadata.name");
        }

        @Test
        void identityOfThePodIsNotMissedWhereItIsSet(CapturedOutput output) {
            assertThat(logOf(inPod.withPropertyValues("POD_NAME=orders-7f9c", "POD_UID=uid-1"), output))
                    .doesNotContain(MISSING);
        }

        @Test
        void identityOfThePodIsNotMissedOutsideOfAPod(CapturedOutput output) {
            assertThat(logOf(runner, output)).doesNotContain(MISSING);
        }

        @Test
        void identityOfThePodIsNotMissedByADirectLockWhichHasNoCandidate(CapturedOutput output) {
            assertThat(logOf(inPod.withPropertyValues("cle.resource-lock=leases"), output))
                    .doesNotContain(MISSING);
        }

        @Test
        void identityOfThePodIsNotMissedByAProcessThatJoinsNoCluster(CapturedOutput output) {
            LockThreads threads = LockThreads.create("test");
            ApplicationContextRunner alone = new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class))
                    .withBean(LeaseLockFactory.class, () -> new StandaloneLeaseLockFactory(threads))
                    .withPropertyValues("spring.application.name=orders", "KUBERNETES_SERVICE_HOST=10.0.0.1");

            assertThat(logOf(alone, output)).doesNotContain(MISSING, WARNING, "is a candidate");
            threads.close();
        }
    }
}
