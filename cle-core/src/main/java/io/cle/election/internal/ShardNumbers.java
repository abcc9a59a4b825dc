package io.cle.election.internal;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.loop.internal.Clock;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Lease.ShardNumber;
import io.cle.model.internal.LeaseObservation;

/**
 * Ensures that only one number of shards of a lease is in force, so that no key belongs to two shards that are led at the same time, even if two
 * coordinators that don't know of each other elect.
 *
 * <p>The Lease that is named like the group says which number is in force; it is changed by compare and swap, once no candidate and no holder of
 * the number in force is left. Then each Lease of the former number is retired, also those that were never created, by a write that makes
 * every other writer's compare and swap fail. Only then is a Lease of the new number given to a candidate. A retired Lease is given to a candidate
 * again only after the number in force was read, later than the Lease itself. Confined to the event loop.
 * Rule: {@code safety.md#one-number-of-shards}.
 */
final class ShardNumbers {

    private final LeaseClient leases;
    private final LeaseTable known;
    private final Predicate<LeaseGroup> held;
    private final Predicate<LeaseGroup> inUse;
    private final Clock clock;
    private final Map<ObjectKey, CompletableFuture<String>> underWay = new HashMap<>();
    private final Map<LeaseGroup, CompletionStage<String>> checks = new HashMap<>();

    /**
     * Creates an instance that hasn't sent any request.
     *
     * @param held whether a lease of a number is held
     * @param inUse whether a number has a candidate, or a lease that is held
     */
    ShardNumbers(
            LeaseClient leases,
            LeaseTable known,
            Predicate<LeaseGroup> held,
            Predicate<LeaseGroup> inUse,
            Clock clock) {
        this.leases = leases;
        this.known = known;
        this.held = held;
        this.inUse = inUse;
        this.clock = clock;
    }

    /** Puts a number in force, as {@link #putInForce} does. Callers that come while such a call is in progress share its result. */
    CompletionStage<String> check(LeaseGroup group) {
        CompletionStage<String> already = checks.get(group);
        if (already != null) {
            return already;
        }
        CompletableFuture<String> check = new CompletableFuture<>();
        checks.put(group, check);
        putInForce(group).thenAccept(problem -> {
            checks.remove(group);
            check.complete(problem);
        });
        return check;
    }

    /**
     * Puts a number in force unless it already is. The number in force is read after the call. Calls for one group run one after the other.
     *
     * @return the reason, for people, why its leases can't be granted; empty if they can. The stage never fails
     */
    CompletionStage<String> putInForce(LeaseGroup group) {
        ObjectKey name = group.key();
        CompletableFuture<String> already = underWay.get(name);
        if (already != null) {
            return already.thenCompose(unused -> putInForce(group));
        }
        CompletableFuture<String> done = new CompletableFuture<>();
        underWay.put(name, done);
        leases.read(name).thenCompose(read -> found(group, name, read)).whenComplete((problem, failure) -> {
            underWay.remove(name);
            done.complete(failure == null ? problem : "the number of shards can't be put in force: " + failure);
        });
        return done;
    }

    private CompletionStage<String> found(LeaseGroup group, ObjectKey name, ApiResult<Optional<Lease>> read) {
        if (!(read instanceof ApiResult.Ok<Optional<Lease>> ok)) {
            return problem("the Lease " + name + ", which says how many shards are in force, can't be read: "
                    + read.describe());
        }
        Lease lease = ok.value().orElse(null);
        SortedSet<Integer> others = new TreeSet<>();
        for (GroupEntry other : known.otherNumbers(group)) {
            if (lease == null && held.test(other.group())) {
                return problem(isInForce(group, other.group()));
            }
            others.add(other.group().shards());
        }
        if (lease == null) {
            return write(
                    group,
                    Lease.builder(name)
                            .leaseDuration(Lease.RELEASED)
                            .shards(new ShardNumber(group.shards(), others))
                            .build());
        }
        ShardNumber inForce = lease.shards();
        if (inForce == null && (lease.managed() || lease.held())) {
            return problem("the Lease " + name
                    + " belongs to a lease without shards, so the number of shards can't be recorded on it: give"
                    + " one of the two leases another name");
        }
        if (inForce != null && inForce.number() == group.shards()) {
            return inForce.replaced().isEmpty() ? problem("") : retire(group, lease, inForce.replaced());
        }
        if (inForce != null) {
            LeaseGroup other = new LeaseGroup(group.namespace(), group.name(), inForce.number());
            // A replica of the former number may acquire its expired Lease again before the Lease is retired. Until all
            // are retired, no Lease of the other number is given to a candidate.
            boolean takenBack = inForce.replaced().contains(group.shards()) && held.test(group);
            if (!takenBack && inUse.test(other)) {
                return problem(isInForce(group, other));
            }
            others.addAll(inForce.replaced());
            others.add(inForce.number());
            others.remove(group.shards());
        }
        return write(
                group,
                lease.toBuilder()
                        .shards(new ShardNumber(group.shards(), others))
                        .build());
    }

    private static String isInForce(LeaseGroup group, LeaseGroup other) {
        return other.shards() + " shards of " + group.name() + " are in force, as long as " + other
                + " has a candidate or a holder; to change the number to " + group.shards()
                + ", stop all replicas that ask for " + other.shards();
    }

    private CompletionStage<String> write(LeaseGroup group, Lease lease) {
        CompletionStage<ApiResult<Lease>> written =
                lease.resourceVersion() == null ? leases.create(lease) : leases.write(lease);
        return written.thenCompose(result -> {
            ShardNumber number =
                    result instanceof ApiResult.Ok<Lease> ok ? ok.value().shards() : null;
            if (!(result instanceof ApiResult.Ok<Lease> ok) || number == null) {
                return problem("the Lease " + lease.key() + " can't record that " + group.shards()
                        + " shards are in force: " + result.describe());
            }
            return number.replaced().isEmpty() ? problem("") : retire(group, ok.value(), number.replaced());
        });
    }

    /** Retires all Leases of the former numbers, one after the other, and then removes these numbers from the Lease that says the number. */
    private CompletionStage<String> retire(LeaseGroup group, Lease number, SortedSet<Integer> replaced) {
        Iterator<Lease> retired = replaced.stream()
                .map(shards -> new LeaseGroup(group.namespace(), group.name(), shards))
                .flatMap(former -> former.leases().stream()
                        .map(key -> Lease.builder(key)
                                .leaseDuration(Lease.RELEASED)
                                .managed(true)
                                .group(former.label())
                                .retiredBy(number.resourceVersion())
                                .build()))
                .iterator();
        Lease done = number.toBuilder()
                .shards(new ShardNumber(group.shards(), new TreeSet<>()))
                .build();
        return retireNext(retired).thenCompose(problem -> problem.isEmpty() ? write(group, done) : problem(problem));
    }

    private CompletionStage<String> retireNext(Iterator<Lease> retired) {
        if (!retired.hasNext()) {
            return problem("");
        }
        Lease desired = retired.next();
        return leases.read(desired.key()).thenCompose(read -> {
            if (!(read instanceof ApiResult.Ok<Optional<Lease>> ok)) {
                return problem("the Lease " + desired.key() + " can't be retired: " + read.describe());
            }
            Lease lease = ok.value().orElse(null);
            if (lease != null && lease.held() && !isFree(lease)) {
                return problem(
                        "the Lease " + desired.key() + " of the former number of shards is held by " + lease.holder());
            }
            CompletionStage<ApiResult<Lease>> written = lease == null
                    ? leases.create(desired)
                    : leases.write(lease.toBuilder()
                            .holder(null)
                            .term(null)
                            .leaseDuration(desired.leaseDuration())
                            .group(desired.group())
                            .retiredBy(desired.retiredBy())
                            .build());
            return written.thenCompose(result -> result instanceof ApiResult.Ok<Lease>
                    ? retireNext(retired)
                    : problem("the Lease " + desired.key() + " can't be retired: " + result.describe()));
        });
    }

    /**
     * Returns whether the version of the lease that was read has expired, as far as this coordinator has observed it. The read is observed, because
     * the watch doesn't show a lease that has lost its label.
     */
    private boolean isFree(Lease lease) {
        LeaseEntry record = known.find(lease.key());
        if (record == null) {
            return false;
        }
        record.seen(lease, clock.now(), false);
        LeaseObservation observation = record.lease(clock.now());
        Lease seen = observation.lease();
        return seen != null
                && Objects.equals(seen.resourceVersion(), lease.resourceVersion())
                && observation.free(clock.now());
    }

    private static CompletionStage<String> problem(String problem) {
        return CompletableFuture.completedStage(problem);
    }
}
