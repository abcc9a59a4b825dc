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

    /** client-go's name for the holder of records that disagree. */
    static final String UNKNOWN_HOLDER = "leaderelection.k8s.io/unknown";

    /**
     * The lease that both amount to; {@code null} when neither is there. Where they disagree it is held by nobody known, and
     * changes whenever one of them does, so that it expires only when neither is renewed any more.
     */
    @Nullable
    Lease combined() {
        if (primary == null || secondary == null) {
            return primary == null ? secondary : primary;
        }
        String version = ResourceVersions.older(primary.resourceVersion(), secondary.resourceVersion())
                ? secondary.resourceVersion()
                : primary.resourceVersion();
        Lease.Builder lease = primary.toBuilder().resourceVersion(version);
        if (!primary.held() && !secondary.held()) {
            lease.renewTime(later(primary.renewTime(), secondary.renewTime()));
        }
        if (!Objects.equals(primary.holder(), secondary.holder())) {
            Instant acquired = Objects.requireNonNullElse(primary.acquireTime(), Instant.EPOCH);
            String versions = primary.resourceVersion() + "-" + secondary.resourceVersion();
            lease.holder(UNKNOWN_HOLDER)
                    .leaseDuration(longer(primary.leaseDuration(), secondary.leaseDuration()))
                    .acquireTime(acquired)
                    .renewTime(lastRenewal(primary, secondary))
                    .holderKey(null)
                    .electedBy(null)
                    .noEndOfTerm()
                    .term(TermMark.begun(UNKNOWN_HOLDER, versions, acquired));
        }
        return lease.build();
    }

    /**
     * The last renewal of records that disagree. Of one that is released before the other, it is the other's: a release is told by its
     * being another time than the last renewal.
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

    private static @Nullable Instant later(@Nullable Instant left, @Nullable Instant right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.isBefore(right) ? right : left;
    }
}
