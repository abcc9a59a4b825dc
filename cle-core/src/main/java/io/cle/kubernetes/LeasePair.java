package io.cle.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.model.Lease;
import io.cle.model.ResourceVersions;
import io.cle.model.TermMark;
import org.jspecify.annotations.Nullable;

/**
 * The two records of a multi-lock, as they were seen together, and the one lease that they amount to. Pure.
 *
 * @param primary the one that is written first; {@code null} when it isn't there
 * @param secondary the one that is written second; {@code null} when it isn't there
 */
record LeasePair(@Nullable Lease primary, @Nullable Lease secondary) {

    /**
     * The lease that both amount to; {@code null} when neither is there. It changes whenever one of them is renewed, so that it expires
     * only when neither is any more: also where they agree, its holder may know only the one. Where they disagree it is held by
     * nobody known. Where nobody holds either, what tells of a term on the one that an administrator has cleared isn't to be lost
     * beside the other, which may have been released.
     */
    @Nullable
    Lease combined() {
        if (primary == null || secondary == null) {
            return primary == null ? secondary : primary;
        }
        Lease newer =
                ResourceVersions.older(primary.resourceVersion(), secondary.resourceVersion()) ? secondary : primary;
        boolean disagree = disagree(primary, secondary);
        boolean heldByOne = primary.held() && !disagree;
        Lease.Builder lease = primary.toBuilder()
                .secondUid(secondary.uid())
                .resourceVersion(newer.resourceVersion())
                .renewTime(heldByOne ? newer.renewTime() : lastRenewal(primary, secondary));
        if (!primary.endOfTerm() && secondary.endOfTerm()) {
            lease.endOfTerm(secondary.preferredHolder(), secondary.preferredKey());
        }
        if (!primary.held() && !secondary.held()) {
            lease.leaseDuration(longer(primary.leaseDuration(), secondary.leaseDuration()))
                    .term(longer(primary.term(), secondary.term()));
        }
        if (disagree) {
            Instant acquired = Objects.requireNonNullElse(primary.acquireTime(), Instant.EPOCH);
            String versions = primary.resourceVersion() + "-" + secondary.resourceVersion();
            Duration duration = longer(primary.leaseDuration(), secondary.leaseDuration());
            lease.holder(Lease.UNKNOWN_HOLDER)
                    .leaseDuration(duration)
                    .acquireTime(acquired)
                    .holderKey(null)
                    .electedBy(null)
                    .noEndOfTerm()
                    .term(TermMark.begun(Lease.UNKNOWN_HOLDER, versions, acquired, duration));
        }
        return lease.build();
    }

    /** Whether they are of different terms, also of one holder: one that knows only the one record renews no other. */
    private static boolean disagree(Lease primary, Lease secondary) {
        return !Objects.equals(primary.holder(), secondary.holder())
                || (primary.held()
                        && !(Objects.equals(primary.term(), secondary.term())
                                && Objects.equals(primary.acquireTime(), secondary.acquireTime())));
    }

    /**
     * The last renewal of records that disagree, or that nobody holds. Of one that is released before the other, it is the other's: a
     * release is told by its being another time than the last renewal.
     */
    private static @Nullable Instant lastRenewal(Lease primary, Lease secondary) {
        if (primary.held() == secondary.held()) {
            return later(primary.renewTime(), secondary.renewTime());
        }
        return primary.held() ? primary.renewTime() : secondary.renewTime();
    }

    private static Duration longer(Duration left, Duration right) {
        return left.compareTo(right) < 0 ? right : left;
    }

    private static @Nullable TermMark longer(@Nullable TermMark left, @Nullable TermMark right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.leaseDuration().compareTo(right.leaseDuration()) < 0 ? right : left;
    }

    private static @Nullable Instant later(@Nullable Instant left, @Nullable Instant right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.isBefore(right) ? right : left;
    }
}
