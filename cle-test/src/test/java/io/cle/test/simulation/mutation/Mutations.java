package io.cle.test.simulation.mutation;

import java.util.List;

/** The ways in which the code is broken on purpose. Every rule that keeps two from leading has one at least. */
final class Mutations {

    private static final String FROM_SENDING = "return s.sentAt + config.timings().renewDeadline().toNanos();";

    private Mutations() {}

    static List<Mutation> all() {
        return List.of(
                Mutation.of("the deadline is counted from the answer instead of the request")
                        .in(
                                "lock/LockStep",
                                FROM_SENDING,
                                "return now.nanos() + config.timings().renewDeadline().toNanos();")
                        .foundBy("ENDPOINTS:50"),
                Mutation.of("a term is valid for twice the lease duration")
                        .in(
                                "lock/LockStep",
                                FROM_SENDING,
                                "return s.sentAt + 2 * config.timings().leaseDuration().toNanos();")
                        .foundBy("LEASES:8"),
                Mutation.of("a term is valid for as long as the lease")
                        .in(
                                "lock/LockStep",
                                FROM_SENDING,
                                "return s.sentAt + config.timings().leaseDuration().toNanos();")
                        .foundBy("LEASES:8"),
                Mutation.of("an answer takes back what the watch has told since")
                        .in("lock/CandidacyMachine", "if (!overtaken(ok.value())) {", "if (ok.value() != null) {")
                        .foundBy("NATIVE:2029"),
                Mutation.of("a free lease that somebody has taken and was deprived of unseen is free")
                        .in(
                                "model/LeaseObservation",
                                "return next.term() == null ? heldUntil : later(",
                                "return next != null ? heldUntil : later(")
                        .foundBy("LEASES:209"),
                Mutation.of(
                                "a grant of a lease that was created anew is trusted by those who know of a term by the old one")
                        .in("model/LeaseObservation", "claimableAt = later(claimableAt, formerUntil);", "")
                        .in("model/LeaseObservation", "return later(nanos, formerUntil);", "return nanos;")
                        .foundBy("PRIORITIZED:622"),
                Mutation.of("a term that was never seen is taken to be no longer than the record that was left of it")
                        .in(
                                "model/LeaseObservation",
                                "return term == null ? record.leaseDuration() : longer(record.leaseDuration(),"
                                        + " term.leaseDuration());",
                                "return record.leaseDuration();")
                        .foundBy("NATIVE:10656"),
                Mutation.of("a holder that was overruled isn't waited for")
                        .in(
                                "lock/ClaimRule",
                                "return observation.seenAt() - state.othersUntil >= 0 ? observation.seenAt() : state.othersUntil;",
                                "return observation.seenAt();")
                        .in(
                                "lock/LockStep",
                                "} else if (!now.reached(s.othersUntil)) {",
                                "} else if (s.sentAt - now.nanos() > 0) {")
                        .foundBy("PRIORITIZED:105"),
                Mutation.of("whoever overrules an overruler doesn't wait for whom that one had overruled")
                        .in(
                                "model/LeaseObservation",
                                "return prior == Prior.SEEN ? earlier(ledUntil, byTheMark) : later(ledUntil, byTheMark);",
                                "return now.nanos();")
                        .foundBy("PRIORITIZED:7034536:5"),
                Mutation.of("the release by one who took an emptied lease speaks for whom it was taken from, too")
                        .in(
                                "model/LeaseObservation",
                                "claimableAt, later(formerUntil, until));",
                                "claimableAt, formerUntil);")
                        .foundBy("MIGRATION:9106759:5"),
                Mutation.of("a claim over one's own of the same second passes for a renewal of it")
                        .in(
                                "lock/LeaseWrites",
                                "time.equals(base.acquireTime()) ? time.plus(config.renewTimeStep()) : time;",
                                "time;")
                        .foundBy("CONFIG_MAPS:12:5"),
                Mutation.of("a watch that doesn't tell of what this process has written isn't found out")
                        .in("kubernetes/Overdue", "lag.compareTo(LAG) < 0", "lag.compareTo(LAG) != 0")
                        .foundBy("PRIORITIZED:9120825:5"),
                Mutation.of("a claim that succeeds too late begins a term all the same")
                        .in(
                                "lock/LockStep",
                                "if (now.reached(validUntil())) {",
                                "if (now.reached(validUntil()) && (s.sentAt = now.nanos()) == LockState.NEVER) {")
                        .foundBy("LEASES:237"),
                Mutation.of("writes are neither compared nor swapped")
                        .in("kubernetes/ObjectClient", "if (resourceVersion != null) {", "if (patch == null) {")
                        .foundBy("LEASES:1"),
                Mutation.of("seeing one's name in the lease is leading by it")
                        .in(
                                "runtime/LeaseLock",
                                "return state.leads(loop.clock().nanos());",
                                "return state.leads(loop.clock().nanos())"
                                        + " || leader().filter(config.identity()::equals).isPresent();")
                        .foundBy("LEASES:1"),
                Mutation.of("a write of unknown outcome counts as a success")
                        .in(
                                "lock/LockStep",
                                "} else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {",
                                "} else if (result instanceof ApiResult.OutcomeUnknown<Lease>"
                                        + " && desired.resourceVersion() != null) {\n            succeeded(desired);\n"
                                        + "        } else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {")
                        .foundBy("LEASES:2"),
                Mutation.of("a conflict counts as a success")
                        .in(
                                "lock/LockStep",
                                "} else if (result instanceof ApiResult.Conflict<Lease>) {",
                                "} else if (result instanceof ApiResult.Conflict<Lease>"
                                        + " && desired.resourceVersion() != null) {\n            succeeded(desired);\n"
                                        + "        } else if (result instanceof ApiResult.Conflict<Lease>) {")
                        .foundBy("LEASES:4"),
                Mutation.of("the lease is handed over before the work has ended")
                        .in(
                                "lock/LockDuties",
                                "if (s.phase == Phase.DRAINING && s.draining == null) {",
                                "if (s.phase == Phase.DRAINING) {")
                        .foundBy("LEASES:8"),
                Mutation.of("the lease is handed over before anybody is told of the end of the term")
                        .in(
                                "lock/LockDuties",
                                "scope.drain(RevokeReason.END_OF_TERM);",
                                "s.phase = Phase.HANDING_OVER;\n"
                                        + "            s.handOverUntil = now.plus(config.timings().leaseDuration());")
                        .foundBy("COORDINATED:5"),
                Mutation.of("a late success is released although the work of the ended term still runs")
                        .in(
                                "lock/LockDuties",
                                "if (s.draining == null && scope.ours(s.lease())",
                                "if (scope.ours(s.lease())")
                        .foundBy("LEASES:161"),
                Mutation.of("expiry is judged by one's own configured duration")
                        .in(
                                "lock/ClaimRule",
                                "return observation.heldUntil() + jitter;",
                                "return observation.seenAt() + config.timings().leaseDuration().toNanos() + jitter;")
                        .in(
                                "lock/ClaimRule",
                                "state.takeover)\n                : observation.ledUntil();",
                                "state.takeover)\n                : observation.seenAt() + config.timings().leaseDuration().toNanos();")
                        .foundBy("LEASES:8", "COORDINATED:1"),
                Mutation.of("expiry is judged by the wall clock")
                        .in(
                                "model/LeaseObservation",
                                "long untilNextExpires = now.plus(next.leaseDuration());",
                                "long untilNextExpires = next.renewTime() == null\n"
                                        + "                ? now.nanos()\n"
                                        + "                : now.nanos() + Duration.between(now.wall(),"
                                        + " next.renewTime().plus(next.leaseDuration())).toNanos();")
                        .foundBy("LEASES:1"),
                Mutation.of("the wall clock passes for the monotonic one")
                        .in(
                                "runtime/Clock",
                                "return new Moment(nanos(), wall());",
                                "return new Moment(wall().getEpochSecond() % 1_000_000 * 1_000_000_000L, wall());")
                        .in(
                                "runtime/LeaseLock",
                                "return state.leads(loop.clock().nanos());",
                                "return state.leads(loop.clock().now().nanos());")
                        .foundBy("LEASES:1"),
                Mutation.of("a holder that somebody has named doesn't wait for the one before")
                        .in("model/LeaseObservation", "onlyNamed ? before : until, before)", "until, now.nanos())")
                        .in("model/LeaseObservation", "prior == Prior.SEEN ? former(before) : this", "this")
                        .foundBy("COORDINATED:417"),
                Mutation.of("a holder that was removed isn't waited for")
                        .in(
                                "model/LeaseObservation",
                                "boolean released = released(next, prior);",
                                "boolean released = true;")
                        .foundBy("LEASES:1"),
                Mutation.of("the holder of a deleted lease isn't waited for")
                        .in(
                                "model/LeaseObservation",
                                "long until = contiguous ? ledUntil : later(",
                                "long until = contiguous ? now.nanos() : later(")
                        .foundBy("LEASES:42"),
                Mutation.of("a renewal that wrote the same second again isn't noticed")
                        .in("model/LeaseObservation", "(contiguous || !perhapsAnother(lease, next))", "true")
                        .foundBy("CONFIG_MAPS:12"),
                Mutation.of("a twin's term passes for one's own")
                        .in("lock/StepScope", "lease.term().writtenBy(s.nonce)", "lease.heldBy(config.identity())")
                        .foundBy("LEASES:6"),
                Mutation.of("a held lease is elected for")
                        .in("election/Election", "in.holderPod().deadSince(observation.seenAt())", "lease.confirmed()")
                        .foundBy("COORDINATED:1"),
                Mutation.of("a holder that no coordinator has elected is asked to yield")
                        .in(
                                "election/Election",
                                "boolean listens = lease.electedBy() != null && holder.isPresent();",
                                "boolean listens = holder.isPresent();")
                        .foundBy("COORDINATED:208"),
                Mutation.of("the token is of an older version than the write that began the term")
                        .in(
                                "lock/LockStep",
                                "ResourceVersions.toNumber(stored.resourceVersion()),",
                                "ResourceVersions.toNumber(stored.resourceVersion()) - 1,")
                        .foundBy("LEASES:1"),
                Mutation.of("a claim that the watch tells of begins a term whoever's it is")
                        .in("lock/LockStep", "&& next.term().equals(s.writing.term());", "&& s.writing.term() != null;")
                        .foundBy("COORDINATED:10"),
                Mutation.of("a later edit of a claim passes for the claim")
                        .in(
                                "lock/LockStep",
                                "&& Objects.equals(s.writing.resourceVersion(), replaced == null ? null :"
                                        + " replaced.resourceVersion())",
                                "")
                        .foundBy("NATIVE:9711613:5"),
                Mutation.of("the loss of a lease is told to nobody")
                        .in("lock/LockStep", "scope.revoke(RevokeReason.LEASE_LOST);", "")
                        .foundBy("LEASES:2"),
                Mutation.of("a candidate whose clock is ahead can't see that it's asked")
                        .in(
                                "runtime/coordinator/Coordinator",
                                ".ping(candidate, candidate.nextPing(now.wall()))",
                                ".ping(candidate, now.wall())")
                        .foundBy("COORDINATED:110"),
                Mutation.of("a candidate that was never asked counts as silent")
                        .in(
                                "runtime/coordinator/Coordinator",
                                "if (result instanceof ApiResult.Ok<Candidate>) {",
                                "if (result instanceof ApiResult.Ok<Candidate>"
                                        + " || result instanceof ApiResult.OutcomeUnknown<Candidate>) {")
                        .foundBy("COORDINATED:333"),
                Mutation.of("a candidate that somebody deletes stays away")
                        .in("lock/CandidacyMachine", "s.presence = s.busy ? Presence.UNKNOWN : Presence.ABSENT;", "")
                        .foundBy("COORDINATED:64"),
                Mutation.of("a watch goes on from a version that the server has forgotten")
                        .in("kubernetes/Reflector", "failures = 1;\n            list();", "openWatch();")
                        .in("kubernetes/Reflector", "schedule(delay, this::list)", "schedule(delay, this::openWatch)")
                        .foundBy("LEASES:92"));
    }
}
