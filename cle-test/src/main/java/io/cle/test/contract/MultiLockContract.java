package io.cle.test.contract;

import java.time.Instant;

import io.cle.api.ApiResult;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.DirectLock;
import io.cle.kubernetes.ResourceType;
import io.cle.model.Lease;
import io.cle.model.ResourceVersions;
import org.junit.jupiter.api.Test;

import static io.cle.test.contract.ApiUnderTest.await;
import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of locks that consist of two records, shared with processes that know only one of them. */
public abstract class MultiLockContract extends DirectLockContract {

    private final DirectLock lock;

    /** For one kind of lock. */
    protected MultiLockContract(DirectLock lock) {
        super(lock);
        this.lock = lock;
    }

    /** The store of those who know only the first record. */
    private LeaseStore first() {
        return api().apis().leases(lock == DirectLock.ENDPOINTSLEASES ? DirectLock.ENDPOINTS : DirectLock.CONFIGMAPS);
    }

    /** The store of those who know only the second record. */
    private LeaseStore second() {
        return api().apis().leases(DirectLock.LEASES);
    }

    private Lease heldBy(String identity) {
        return lease().toBuilder().holder(identity).term(null).build();
    }

    @Test
    void bothRecordsNameTheHolder() {
        Lease held = ok(store().create(heldBy("a")));

        assertThat(held.holder()).isEqualTo("a");
        assertThat(ok(first().read(key())).orElseThrow().holder()).isEqualTo("a");
        assertThat(ok(second().read(key())).orElseThrow().holder()).isEqualTo("a");
    }

    @Test
    void whoKnowsOnlyTheFirstRecordIsRespectedAndTheSecondIsAddedWhenItIsTaken() {
        ok(first().create(heldBy("old")));

        Lease seen = ok(store().read(key())).orElseThrow();
        assertThat(seen.holder()).isEqualTo("old");

        Lease taken = ok(store().write(seen.toBuilder().holder("a").build()));
        assertThat(taken.holder()).isEqualTo("a");
        assertThat(ok(second().read(key())).orElseThrow().holder()).isEqualTo("a");
    }

    @Test
    void whoKnowsOnlyTheSecondRecordIsRespected() {
        ok(second().create(heldBy("new")));

        assertThat(ok(store().read(key())).orElseThrow().holder()).isEqualTo("new");
    }

    @Test
    void recordsThatDisagreeAreHeldByNobodyKnownAndLiveAsLongAsEitherIsRenewed() {
        Lease old = ok(first().create(heldBy("old")));
        Lease other = ok(second().create(heldBy("new")));

        Lease seen = ok(store().read(key())).orElseThrow();
        assertThat(seen.holder()).isEqualTo("leaderelection.k8s.io/unknown");

        Lease renewed = ok(second().write(other.toBuilder().transitions(7).build()));
        Lease seenAgain = ok(store().read(key())).orElseThrow();
        assertThat(seenAgain.sameRenewal(seen)).as("the second was renewed").isFalse();

        ok(first().write(old.toBuilder().transitions(7).build()));
        Lease seenLast = ok(store().read(key())).orElseThrow();
        assertThat(seenLast.sameRenewal(seenAgain)).as("the first was renewed").isFalse();
        assertThat(renewed.holder()).isEqualTo("new");
    }

    @Test
    void aRenewalIsSeenOnEitherRecordAlsoWhereItsTimeStandsOnOneOfThem() {
        Instant time = Instant.parse("2026-01-01T00:00:07Z");
        Lease held = ok(store().create(heldBy("a").toBuilder().renewTime(time).build()));
        Lease ahead = ok(first().read(key())).orElseThrow();
        ok(first().write(ahead.toBuilder().renewTime(time.plusSeconds(1)).build()));
        Lease seen = ok(store().read(key())).orElseThrow();
        Lease one = ok(first().read(key())).orElseThrow();
        Lease other = ok(second().read(key())).orElseThrow();

        ok(store().write(seen.toBuilder().renewTime(time).build()));

        assertThat(held.holder()).isEqualTo("a");
        assertThat(ok(first().read(key())).orElseThrow().sameRenewal(one)).isFalse();
        assertThat(ok(second().read(key())).orElseThrow().sameRenewal(other)).isFalse();
    }

    @Test
    void theVersionGrowsWithEitherRecord() {
        Lease held = ok(store().create(heldBy("a")));
        touch(second());
        Lease afterSecond = ok(store().read(key())).orElseThrow();
        touch(first());
        Lease afterFirst = ok(store().read(key())).orElseThrow();

        assertThat(ResourceVersions.older(held.resourceVersion(), afterSecond.resourceVersion()))
                .isTrue();
        assertThat(ResourceVersions.older(afterSecond.resourceVersion(), afterFirst.resourceVersion()))
                .isTrue();
    }

    private void touch(LeaseStore store) {
        Lease lease = ok(store.read(key())).orElseThrow();
        ok(store.write(lease.toBuilder().transitions(lease.transitions() + 1).build()));
    }

    @Test
    void aSecondRecordThatHasChangedIsNotOverwritten() {
        Lease held = ok(store().create(heldBy("a")));
        Lease other = ok(second().read(key())).orElseThrow();
        ok(second().write(other.toBuilder().holder("new").build()));

        ApiResult<Lease> result =
                await(store().write(held.toBuilder().transitions(9).build()));

        assertThat(result).isInstanceOf(ApiResult.OutcomeUnknown.class);
        assertThat(ok(second().read(key())).orElseThrow().holder()).isEqualTo("new");
        assertThat(ok(store().read(key())).orElseThrow().holder()).isEqualTo("leaderelection.k8s.io/unknown");
    }

    @Test
    void aClaimThatLosesTheSecondRecordGivesTheFirstBack() {
        Lease free = ok(store().create(heldBy("a").toBuilder().holder(null).build()));
        Lease other = ok(second().read(key())).orElseThrow();
        ok(second().write(other.toBuilder().holder("new").build()));

        assertThat(await(store().write(free.toBuilder().holder("a").build()))).isInstanceOf(ApiResult.Conflict.class);

        assertThat(ok(first().read(key())).orElseThrow().held()).isFalse();
        assertThat(ok(second().read(key())).orElseThrow().holder()).isEqualTo("new");
    }

    @Test
    void theFirstRecordIsGivenBackAlsoWhereItHasJustBeenCreated() {
        ok(second().create(heldBy("new")));

        assertThat(await(store().create(heldBy("a")))).isInstanceOf(ApiResult.Conflict.class);

        assertThat(ok(first().read(key())).orElseThrow().held()).isFalse();
    }

    @Test
    void aVersionThatWasNeverSeenConflicts() {
        ok(store().create(heldBy("a")));

        assertThat(await(store().write(
                                heldBy("a").toBuilder().resourceVersion("1").build())))
                .isInstanceOf(ApiResult.Conflict.class);
    }

    @Override
    protected ResourceType resource() {
        return lock.resources().get(0);
    }
}
