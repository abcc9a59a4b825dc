package io.cle.coordinator;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kube-apiserver elects by itself ({@code OldestEmulationVersion}): our lock works with its unchanged
 * coordinator, and hands over where client-go lets the lease expire. Our own coordinator runs beside it all the
 * time, and doesn't interfere.
 */
abstract class KubeApiserverStories extends UpgradeStories {

    private static final String NEWEST = "NewestCompatibilityVersion";

    @Override
    ApiFormat format() {
        return ApiFormat.NATIVE;
    }

    @Override
    String oldest() {
        return "OldestCompatibilityVersion";
    }

    /** An administrator can't set the strategy of such a lease; the newest binary version's own strategy applies. */
    @Test
    void storyThreeTheStrategyOfTheNewestVersionTakesEffectAtOnceAndSticksUntilItLeaves() {
        try (ControlPlane plane = newControlPlane().of(NODES, "1.1.0")) {
            plane.goesDown("node-1");
            plane.comesUp("node-1", "1.2.0", NEWEST);
            plane.awaitLeader("node-1 (1.2.0)");
            plane.changes("node-3", "1.1.0");
            plane.goesDown("node-1");
            plane.comesUp("node-1", "1.2.0");

            plane.chronicle()
                    .tells(List.of(
                            "node-1 comes up with 1.1.0",
                            "node-1 (1.1.0) leads",
                            "node-2 comes up with 1.1.0",
                            "node-3 comes up with 1.1.0",
                            "node-1 goes down",
                            "node-1 (1.1.0) leads no more",
                            "node-2 (1.1.0) leads",
                            "node-1 comes up with 1.2.0",
                            "node-2 (1.1.0) leads no more",
                            "node-1 (1.2.0) leads",
                            "node-3 goes down",
                            "node-3 comes up with 1.1.0",
                            "node-1 goes down",
                            "node-1 (1.2.0) leads no more",
                            "node-2 (1.1.0) leads",
                            "node-1 comes up with 1.2.0"));
        }
    }

    @Test
    void aBetterOneIsNamedByTheWriteThatReleasesTheLease() {
        ObjectKey lease = newLease();
        Witness witness = new Witness();
        try (Candidates candidates = newCandidates();
                LeaseLock worse = candidates.candidate(lease, lease.name() + "-worse", "1.2.0");
                LeaseLock worst = candidates.candidate(lease, lease.name() + "-worst", "1.3.0");
                LeaseLock better = candidates.candidate(lease, lease.name() + "-better", "1.1.0")) {
            worse.addListener(witness);
            worst.addListener(witness.ofHolders());
            worse.start();
            await().atMost(PATIENCE).until(worse::isLeader);
            worst.start();
            await().atMost(PATIENCE).until(() -> witness.holders.contains(lease.name() + "-worse"));
            assertThat(announced(lease)).containsOnly("OldestEmulationVersion");

            better.start();

            await().atMost(PATIENCE).until(better::isLeader);
            assertThat(witness.reasons).containsExactly(RevokeReason.END_OF_TERM);
            await().atMost(PATIENCE).until(() -> witness.holders.contains(lease.name() + "-better"));
            assertThat(witness.holders)
                    .as("one write names the next holder: the lease is never free in between")
                    .containsExactly(lease.name() + "-worse", lease.name() + "-better");
            assertThat(stored(lease).get("leaseTransitions").getAsInt()).isEqualTo(1);
            assertThat(election(lease)).contains("kube-apiserver's own coordinator elects");
        }
    }

    @Test
    void aLeaderWhosePreferredHolderDisappearsIsElectedAgainWithoutWaitingForTheFallback() {
        ObjectKey lease = newLease();
        ObjectKey ghost = new ObjectKey(lease.namespace(), lease.name() + "-ghost");
        CompletableFuture<Void> work = new CompletableFuture<>();
        Witness witness = new Witness(work);
        try (Candidates candidates = newCandidates();
                LeaseLock real = candidates.candidate(lease, lease.name() + "-real", "1.2.0")) {
            real.addListener(witness);
            real.start();
            await().atMost(PATIENCE).until(real::isLeader);
            announce(ghost, lease, "1.1.0");
            await().atMost(PATIENCE).until(() -> witness.reasons.contains(RevokeReason.END_OF_TERM));

            cluster().delete(ResourceType.NATIVE_CANDIDATES, ghost.namespace(), ghost.name());
            work.complete(null);

            await().atMost(PATIENCE).until(real::isLeader);
        }
    }

    private void announce(ObjectKey candidate, ObjectKey lease, String version) {
        String now = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
        cluster()
                .create(
                        ResourceType.NATIVE_CANDIDATES,
                        candidate.namespace(),
                        candidate.name(),
                        "{\"leaseName\": \"" + lease.name() + "\", \"binaryVersion\": \"" + version
                                + "\", \"emulationVersion\": \"" + version
                                + "\", \"strategy\": \"OldestEmulationVersion\", \"renewTime\": \"" + now + "\"}");
    }

    private List<String> announced(ObjectKey lease) {
        return cluster().list(ResourceType.NATIVE_CANDIDATES, lease.namespace()).stream()
                .map(candidate -> candidate.getAsJsonObject("spec"))
                .filter(spec -> spec.get("leaseName").getAsString().equals(lease.name()))
                .map(spec -> spec.get("strategy").getAsString())
                .toList();
    }

    private JsonObject stored(ObjectKey lease) {
        return cluster().list(ResourceType.LEASES, lease.namespace()).stream()
                .filter(object -> object.getAsJsonObject("metadata")
                        .get("name")
                        .getAsString()
                        .equals(lease.name()))
                .findFirst()
                .orElseThrow()
                .getAsJsonObject("spec");
    }

    /** Records what a process observes. */
    private static final class Witness implements LeadershipListener {

        private final List<RevokeReason> reasons = Collections.synchronizedList(new ArrayList<>());
        private final List<String> holders = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Void> work;

        Witness() {
            this(CompletableFuture.completedFuture(null));
        }

        /** Its work for a term ends with the future. */
        Witness(CompletableFuture<Void> work) {
            this.work = work;
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            reasons.add(reason);
        }

        @Override
        public CompletableFuture<Void> drained(Term term) {
            return work;
        }

        LeadershipListener ofHolders() {
            return new LeadershipListener() {
                @Override
                public void onLeaderChanged(@Nullable String holder) {
                    holders.addAll(Arrays.asList(holder));
                }
            };
        }
    }
}
