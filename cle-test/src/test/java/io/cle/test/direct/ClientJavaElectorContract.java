package io.cle.test.direct;

import java.time.Duration;
import java.util.List;

import io.cle.ResourceLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.SHORT;
import static io.cle.test.direct.Timing.within;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * client-java's elector and ours on one record, in every kind that client-java supports. In real time, because
 * client-java sleeps. Rule: {@code safety.md#mixed-electors}.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class ClientJavaElectorContract {

    /** client-java polls every one to two seconds. */
    private static final Duration UNTIL_IT_WOULD_HAVE_EXPIRED = Timing.LEASE.plusSeconds(2);

    abstract Server server();

    @Test
    void eachAcquiresTheLeaseThatTheOtherReleasesAndNoneThatIsRenewed() throws Exception {
        EveryKind.play(server(), SHORT, (stage, kind) -> {
            ClientJavaElector theirs = stage.clientJava(kind, "theirs");
            within(PATIENCE).until(theirs::works);
            OurElector ours = stage.ours(kind, "ours");
            within(PATIENCE).during(UNTIL_IT_WOULD_HAVE_EXPIRED).until(() -> theirs.works() && !ours.leads());
            SharedRecord byThem = stage.read(kind);

            theirs.close();
            within(PATIENCE).until(ours::leads);
            assertThat(ours.history()).as("it was released, and didn't expire").contains("there is no leader");
            SharedRecord byUs = stage.read(kind);
            assertThat(byUs.holder()).isEqualTo("ours");
            assertThat(byUs.fields()).isEqualTo(byThem.fields());

            ClientJavaElector again = stage.clientJava(kind, "theirs-again");
            within(PATIENCE).during(UNTIL_IT_WOULD_HAVE_EXPIRED).until(() -> ours.leads() && !again.works());
            ours.close();
            assertThat(stage.read(kind).holder()).isEmpty();
            within(PATIENCE).until(again::works);
            assertThat(stage.read(kind).holder()).isEqualTo("theirs-again");
            assertThat(stage.read(kind).transitions()).isGreaterThan(byUs.transitions());
        });
    }

    @Test
    void eachAcquiresTheLeaseOfTheOtherWhenItHasExpired() throws Exception {
        EveryKind.play(server(), SHORT, (stage, kind) -> {
            ClientJavaElector theirs = stage.clientJava(kind, "theirs");
            within(PATIENCE).until(theirs::works);
            OurElector ours = stage.ours(kind, "ours");

            theirs.cut();
            within(PATIENCE).until(ours::leads);
            assertThat(theirs.works()).isFalse();

            ClientJavaElector again = stage.clientJava(kind, "theirs-again");
            ours.cut();
            within(PATIENCE).until(again::works);
            assertThat(ours.leads()).isFalse();
        });
    }

    @Test
    void annotationsHaveClientGosFormByteForByte() {
        for (ResourceLock kind : List.of(ResourceLock.ENDPOINTS, ResourceLock.CONFIGMAPS)) {
            try (Stage stage = new Stage(server(), SHORT)) {
                OurElector ours = stage.ours(kind, "ours <&> \"quoted\"");
                within(PATIENCE).until(ours::leads);
                assertThat(stage.read(kind).text()).matches(SharedRecord.CLIENT_GO_FORM);
                assertThat(stage.read(kind).holder()).isEqualTo("ours <&> \"quoted\"");
                ours.close();
                assertThat(stage.read(kind).text()).matches(SharedRecord.CLIENT_GO_FORM);
            }
        }
    }
}
