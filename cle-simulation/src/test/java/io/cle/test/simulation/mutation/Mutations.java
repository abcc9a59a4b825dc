package io.cle.test.simulation.mutation;

import java.util.List;
import java.util.stream.Stream;

/** The ways in which the code is broken on purpose. Every rule that keeps two from leading has one at least. */
final class Mutations {

    private static final String FROM_SENDING = "return write.sentAt() + config.timings().renewDeadline().toNanos();";

    private Mutations() {}

    /** A process can't be copied in the simulation, because its state is in objects; in the exploration, it is a value. */
    static Mutation withoutIdsOfWrites() {
        return Mutation.of("the id of a write carries nothing random")
                .in("LockMachine", "Long.toHexString(random)", "Long.toString(now.nanos())")
                .exploredIn("COPIES")
                .foundBy();
    }

    static List<Mutation> all() {
        return Stream.of(ofOneLease(), ofShards()).flatMap(List::stream).toList();
    }

    private static List<Mutation> ofOneLease() {
        return List.of(
                Mutation.of("resourceVersions that run backwards are taken for old ones for ever")
                        .in(
                                "LockMachine",
                                "if (!ResourceVersions.older(stored.resourceVersion(), read.known())) {",
                                "if (s.lease() != null) {")
                        .foundBy("RESTORED:51"),
                Mutation.of("candidates that were known before a restore hide the restored ones")
                        .in(
                                "LeaseTable",
                                "listed == null || ResourceVersions.older(listed.resourceVersion(), known.resourceVersion());",
                                "listed == null;")
                        .foundBy("RESTORED:74"),
                Mutation.of("a candidate counts for the lease of another namespace")
                        .in(
                                "LeaseTable",
                                "if (!namespaces.admits(candidate.key(), candidate.lease())) {",
                                "if (candidate.key() == null) {")
                        .foundBy("CONFIGURED:18"),
                Mutation.of("another namespace's candidate of the holder's name is taken for the holder")
                        .in(
                                "LeaseTable",
                                "if (!namespaces.admits(candidate.key(), candidate.lease())) {",
                                "if (candidate.identity().startsWith(\"evil\")) {")
                        .in(
                                "NamespaceRule",
                                "if (admitted.stream().allMatch(candidate -> own(candidate.candidate().key(), lease))) {",
                                "if (!admitted.isEmpty()) {")
                        .in("Election", " && ofOwnNamespace(candidate);", ";")
                        .foundBy("CONFIGURED:106"),
                Mutation.of("the pod of a later process of the holder's name is taken for the holder's")
                        .in("Election", " && pod.onLease().equals(lease.holderPod())", "")
                        .foundBy("CONFIGURED:8"),
                Mutation.of("a coordinator elects before it has listed the lease configurations")
                        .in(
                                "Coordinator",
                                "watches().stream().allMatch(WatchStatus::synced)",
                                "watches().stream().allMatch(watch -> watch.synced() || watch.kind().startsWith(CONFIGURATIONS))")
                        .foundBy("CONFIGURED:22"),
                Mutation.of("a coordinator elects when one of its namespaces has been listed")
                        .in(
                                "Coordinator",
                                "watches().stream().allMatch(WatchStatus::synced)",
                                "watches().stream().anyMatch(WatchStatus::synced)")
                        .foundBy("CONFIGURED:1"),
                Mutation.of("a lease configuration that was deleted goes on counting")
                        .in("LeaseTable", "            forgetConfiguration(removed.key());\n", "")
                        .foundBy("CONFIGURED:4"),
                Mutation.of("of several lease configurations the last one counts")
                        .in(
                                "LeaseReconciler",
                                "known.configurations().of(record.key()).stream().findFirst()",
                                "known.configurations().of(record.key()).stream().reduce((first, last) -> last)")
                        .foundBy("CONFIGURED:80"),
                Mutation.of("a lease configuration counts for the lease of another namespace")
                        .in(
                                "ConfigurationTable",
                                "return namespaces.admits(configuration.key(), configuration.targetLease());",
                                "return true;")
                        .foundBy("CONFIGURED:11"),
                Mutation.of("a pod that can't be read passes for dead")
                        .in(
                                "LeaseReconciler",
                                ": new PodState.Unclear(\"it could not be read: \" + result.describe());",
                                ": new PodState.Container(PodState.Phase.TERMINATED, 0, \"\", \"\");")
                        .foundBy("CONFIGURED:57"),
                Mutation.of("a pod that has vanished passes for dead")
                        .in(
                                "HolderPod",
                                "} else if (state instanceof PodState.Missing && renewal == ofRenewal) {\n            shown = latest;",
                                "} else if (state instanceof PodState.Missing) {\n            shown ="
                                        + " new Container(Phase.TERMINATED, 0, \"\", \"\");")
                        .foundBy("CONFIGURED:19"),
                Mutation.of("a pod of phase Failed passes for dead")
                        .in(
                                "PodStates",
                                "        Map<String, Fields> reported = new HashMap<>();\n",
                                "        if (\"Failed\".equals(Fields.of(pod).child(\"status\").string(\"phase\"))) {\n"
                                        + "            return new PodState.Container("
                                        + "PodState.Phase.TERMINATED, 0, \"\", \"\");\n        }\n"
                                        + "        Map<String, Fields> reported = new HashMap<>();\n")
                        .foundBy("CONFIGURED:198"),
                Mutation.of("a container that doesn't run at the moment passes for terminated")
                        .in("HolderPod", "&& (now.phase() == Phase.TERMINATED", "&& (now.phase() != Phase.RUNNING")
                        .foundBy("CONFIGURED:749"),
                Mutation.of(
                                "a container that has started by its node's clock since it was looked at passes for another")
                        .in(
                                "PodStates",
                                "                restarts == null ? 0 : restarts,\n",
                                "                state.child(\"running\").time(\"startedAt\") == null ? 0\n"
                                        + "                        : (int) Objects.requireNonNull("
                                        + "state.child(\"running\").time(\"startedAt\")).getEpochSecond(),\n")
                        .foundBy("CONFIGURED:418"),
                Mutation.of("a container that the kubelet has lost sight of passes for terminated")
                        .in(
                                "PodStates",
                                "private static final String LOST_SIGHT = \"ContainerStatusUnknown\";",
                                "private static final String LOST_SIGHT = \"\";")
                        .foundBy("CONFIGURED:42"),
                Mutation.of("another container of the pod passes for the one that the candidate has named")
                        .in(
                                "PodStates",
                                "String name = named == null ? containers.iterator().next() : named;",
                                "String name = containers.iterator().next();")
                        .foundBy("CONFIGURED:409"),
                Mutation.of("a sidecar is no container that a candidate may run in")
                        .in(
                                "PodStates",
                                "!kind.equals(\"initContainers\") || \"Always\".equals(container.string(\"restartPolicy\"))",
                                "!kind.equals(\"initContainers\")")
                        .inTest(
                                "io.cle.election.internal.api.PodStatesTest",
                                "podWithASidecarIsUnclearIfTheSidecarIsReportedAsTerminated")
                        .foundBy(),
                Mutation.of("a restart passes for one during the term without a look before it")
                        .in(
                                "HolderPod",
                                "return now.phase() == Phase.TERMINATED;",
                                "return now.phase() == Phase.TERMINATED || now.restarts() > 0;")
                        .foundBy("CONFIGURED:2611"),
                Mutation.of("a holder that is preempted isn't waited for")
                        .in(
                                "LeaseWrites",
                                "Duration formerTerm = wholeSeconds(observation.busyUntil() - now.nanos());",
                                "Duration formerTerm = Duration.ofSeconds(observation.busyUntil() == now.nanos() ? 1 : 0);")
                        .foundBy("PRIORITIZED:10183"),
                Mutation.of("a failed reconciliation is tried again without a growing delay")
                        .in(
                                "LeaseQueue",
                                "BACK_OFF.after(failures.merge(lease, 1, Integer::sum), random)",
                                "Duration.ofMillis(failures.merge(lease, 1, Integer::sum) > 0 ? 5 : 6)")
                        .foundBy("CONFIGURED:320"),
                Mutation.of("the deadline is counted from the answer instead of the request")
                        .in(
                                "LockMachine",
                                FROM_SENDING,
                                "return now.nanos() + config.timings().renewDeadline().toNanos();")
                        .exploredIn("LATE_ANSWERS")
                        .foundBy("ENDPOINTS:50"),
                Mutation.of("a term is valid for twice the lease duration")
                        .in(
                                "LockMachine",
                                FROM_SENDING,
                                "return write.sentAt() + 2 * config.timings().leaseDuration().toNanos();")
                        .foundBy("LEASES:9"),
                Mutation.of("a term is valid for as long as the lease")
                        .in(
                                "LockMachine",
                                FROM_SENDING,
                                "return write.sentAt() + config.timings().leaseDuration().toNanos();")
                        .foundBy("LEASES:9"),
                Mutation.of("an answer takes back what the watch has told since")
                        .in("CandidacyMachine", "if (!overtaken(candidate)) {", "if (candidate != null) {")
                        .exploredIn("CANDIDACY")
                        .foundBy("NATIVE:47"),
                Mutation.of("an acquisition that succeeds too late begins a term all the same")
                        .in(
                                "LockMachine",
                                "if (now.reached(validUntil(write))) {",
                                "if (now.reached(validUntil(write))"
                                        + " && (write = new Request.Write(write.purpose(), write.desired(), now.nanos(),"
                                        + " now.wallAhead())) == null) {")
                        .exploredIn("LATE_ANSWERS")
                        .foundBy("LEASES:237"),
                Mutation.of("writes are neither compared nor swapped")
                        .in("ObjectClient", "if (resourceVersion != null) {", "if (patch == null) {")
                        .foundBy("LEASES:1"),
                Mutation.of("seeing one's name in the lease is leading by it")
                        .in(
                                "LeaseLock",
                                "return current.term() != null && current.leads(loop.clock().now());",
                                "return state.leads(loop.clock().now())"
                                        + " || leader().filter(config.identity()::equals).isPresent();")
                        .foundBy("LEASES:3"),
                Mutation.of("a write of unknown outcome counts as a success")
                        .in(
                                "LockMachine",
                                "} else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {",
                                "} else if (result instanceof ApiResult.OutcomeUnknown<Lease>"
                                        + " && write.desired().resourceVersion() != null) {\n            succeeded(write, write.desired());\n"
                                        + "        } else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {")
                        .foundBy("LEASES:2"),
                Mutation.of("a conflict counts as a success")
                        .in(
                                "LockMachine",
                                "} else if (result instanceof ApiResult.Conflict<Lease>) {",
                                "} else if (result instanceof ApiResult.Conflict<Lease>"
                                        + " && write.desired().resourceVersion() != null) {\n            succeeded(write, write.desired());\n"
                                        + "        } else if (result instanceof ApiResult.Conflict<Lease>) {")
                        .foundBy("LEASES:4"),
                Mutation.of("the lease is handed over before the work has ended")
                        .in(
                                "LockMachine",
                                "s.becomeDraining(now.plus(config.drainTimeout()));",
                                "s.becomeDraining(now.nanos());\n        workEnded();")
                        .foundBy("LEASES:8"),
                Mutation.of("the lease is handed over before any listener is told of the end of the term")
                        .in(
                                "LockMachine",
                                "drainTerm(leading.term(), RevokeReason.END_OF_TERM);",
                                "s.becomeDraining(now.nanos());\n                workEnded();")
                        .foundBy("COORDINATED:4"),
                Mutation.of("a late success is released although the work of the ended term still runs")
                        .in(
                                "LockMachine",
                                "if (s.phase() instanceof Standby\n",
                                "if ((s.phase() instanceof Standby || s.phase() instanceof LockState.Phase.Lost)\n")
                        .in(
                                "LockState",
                                "phase instanceof Phase.Leading || phase instanceof Phase.Lost",
                                "phase instanceof Phase.Leading")
                        .exploredIn("STOPS")
                        .foundBy("LEASES:161"),
                Mutation.of("a process goes on leading after its machine was suspended")
                        .in(
                                "LockState",
                                "return now.wallAhead() - leading.wallAheadUntil() > 0;",
                                "return now.wallAhead() == leading.wallAheadUntil() + 1;")
                        .foundBy("LEASES:35"),
                Mutation.of("the wall clock passes for the monotonic one")
                        .in(
                                "Clock",
                                "return new Moment(nanos(), wall());",
                                "return new Moment(wall().getEpochSecond() % 1_000_000 * 1_000_000_000L, wall());")
                        .foundBy("LEASES:1"),
                Mutation.of("a held lease is elected for")
                        .in("Election", "holderPod.deadSince(observation.seenAt())", "lease.confirmed()")
                        .foundBy("COORDINATED:1"),
                Mutation.of("a holder that no coordinator has elected is asked to yield")
                        .in(
                                "Election",
                                "boolean listens = lease.electedBy() != null && holder.isPresent();",
                                "boolean listens = holder.isPresent();")
                        .exploredIn("BETTER_CANDIDATE")
                        .foundBy("COORDINATED:147"),
                Mutation.of("the token is of an older version than the write that began the term")
                        .in(
                                "LockMachine",
                                "ResourceVersions.toNumber(stored.resourceVersion()),",
                                "ResourceVersions.toNumber(stored.resourceVersion()) - 1,")
                        .foundBy("LEASES:1"),
                Mutation.of("the loss of a lease reaches no listener")
                        .in(
                                "LockMachine",
                                "loseTerm(leading.term(), RevokeReason.LEASE_LOST);",
                                "s.becomeLost(now.nanos());")
                        .foundBy("LEASES:10"),
                Mutation.of("a read that succeeds ends the back-off of writes")
                        .in("Retries", "unknown ? unknownWrites + 1 : unknownWrites", "unknownWrites")
                        .foundBy("LEASES:418"),
                Mutation.of("a candidate whose clock is ahead can't see that it's asked")
                        .in(
                                "LeaseReconciler",
                                ".ping(candidate, candidate.nextPing(now.wall()))",
                                ".ping(candidate, now.wall())")
                        .foundBy("COORDINATED:6"),
                Mutation.of("a candidate that was never asked counts as silent")
                        .in(
                                "LeaseReconciler",
                                "if (result instanceof ApiResult.Ok<Candidate>) {",
                                "if (result instanceof ApiResult.Ok<Candidate>"
                                        + " || result instanceof ApiResult.OutcomeUnknown<Candidate>) {")
                        .foundBy("COORDINATED:661"),
                Mutation.of("a deleted candidate stays away")
                        .in("CandidacyMachine", "missing(missing);", "")
                        .exploredIn("CANDIDACY")
                        .foundBy("COORDINATED:64"),
                Mutation.of("a watch goes on from a version that the server has forgotten")
                        .in("Reflector", "failures = 1;\n            list();", "openWatch();")
                        .in("Reflector", "schedule(delay, this::list)", "schedule(delay, this::openWatch)")
                        .foundBy("LEASES:92"),
                Mutation.of("a record that cites any version ends the claim before it")
                        .in(
                                "Lease",
                                "boolean version = ended.after() != null && ended.after().equals(former.resourceVersion);",
                                "boolean version = ended.after() != null;")
                        .exploredIn("EARLIER_COPIES")
                        .foundBy("LEASES:42"),
                Mutation.of("a record that cites any term ends the one before it")
                        .in(
                                "Lease",
                                "                    && ended.term().equals(Objects.requireNonNull(former.term).term());",
                                "                    && former.term != null;")
                        .exploredIn("EARLIER_COPIES")
                        .foundBy("LEASES:1"),
                Mutation.of("a record that ends nothing takes away what was claimed before")
                        .in("LeaseObservation", "            earlier = later(earlier, carried(now, observer));\n", "")
                        .foundBy("LEASES:1"),
                Mutation.of("the holder of a deleted lease isn't waited for")
                        .in(
                                "LeaseObservation",
                                "gone(now, carried(now, observer), terms.replaced());",
                                "gone(now, now.nanos(), terms.replaced());")
                        .foundBy("LEASES:16"),
                Mutation.of("a record without a holder and of a second is a release, whoever held the lease")
                        .in("Lease", "                && former.plain()\n", "")
                        .exploredIn("BARE_OBJECTS")
                        .foundBy(),
                Mutation.of("what is found in another record's place says that nothing was missed")
                        .in(
                                "LeaseObservation",
                                "ended || sameTerm ? terms.earlier() : unseen(observer)",
                                "ended || sameTerm || lease != null ? terms.earlier() : unseen(observer)")
                        .foundBy("LEASES:1300"),
                Mutation.of("an earlier record of the running term that is put back hides renewals")
                        .in(
                                "LeaseObservation",
                                "boolean again = contiguous && lease != null",
                                "boolean again = lease != null")
                        .exploredIn("HIDDEN_RENEWALS")
                        .foundBy("LEASES:1225"),
                Mutation.of("a plain holder's claim can't be mended")
                        .in(
                                "LeaseObservation",
                                "return plain && claim - bound > 0 ? bound : claim;",
                                "return plain && claim == bound ? bound : claim;")
                        .exploredIn("GHOST_LEASE")
                        .foundBy(),
                Mutation.of("a term whose annotation was left on another holder's record is over")
                        .in(
                                "LeaseObservation",
                                "return leftOver == null || known ? earlier : later(earlier, now.plus(leftOver.duration()));",
                                "return leftOver == null || known ? earlier : earlier;")
                        .foundBy("LEASES:389"),
                Mutation.of("what was claimed before ends with one's own record")
                        .in(
                                "LeaseObservation",
                                "if (!ended && (!sameTerm || observer.own())) {",
                                "if (!ended && !sameTerm && !observer.own()) {")
                        .foundBy("PRIORITIZED:1117"),
                Mutation.of("an administrator's line ends all claims, whatever it cites")
                        .in(
                                "Lease",
                                "                && term.ended().after() != null\n                && term.ended().after().equals(former.resourceVersion);",
                                "                && term.ended().after() != null;")
                        .exploredIn("BARE_OBJECTS")
                        .foundBy(),
                Mutation.of("any record of one's own proves the last write")
                        .in(
                                "LockMachine",
                                "if (write == null || !shows(write.desired(), lease)) {",
                                "if (write == null) {")
                        .foundBy("LEASES:164"),
                Mutation.of("the holder of a lease whose creation was refused isn't waited for")
                        .in("LeaseObservation", "new Terms(true, terms.present(), terms.earlier())", "terms")
                        .exploredIn("REFUSED_CREATION")
                        .foundBy(),
                Mutation.of("a term of the history before a restore isn't waited for")
                        .in(
                                "LockMachine",
                                ".missed(now, observer(false));\n        observe(stored, false);",
                                ";\n        observe(stored, true);")
                        .foundBy("RESTORED:597"),
                Mutation.of("expiry is judged by one's own configured duration")
                        .in("Lease", "            return termDuration();", "            return own;")
                        .exploredIn("TIMINGS_OF_ITS_OWN")
                        .foundBy("LEASES:72"),
                Mutation.of("expiry is judged by the wall clock")
                        .in(
                                "LeaseObservation",
                                ": renewedAt + claims.toNanos();",
                                ": next.renewTime() == null || !next.confirmed()\n                        ? renewedAt + claims.toNanos()\n                        : now.nanos() + Duration.between(now.wall(), next.renewTime().plus(claims)).toNanos();")
                        .foundBy("LEASES:4"),
                Mutation.of("a leader repeats what others have written into its term annotation")
                        .in(
                                "LeaseWrites",
                                ".term(own.annotation().withWrite(writer.write()))",
                                ".term(java.util.Objects.requireNonNull(current.term()).withWrite(writer.write()))")
                        .exploredIn("EDITED_TERMS")
                        .foundBy(),
                Mutation.of("the administrator's line ends a claim also on the record of a holder")
                        .in(
                                "Lease",
                                "        return !held()\n                && term != null\n                && term.holder() == null\n",
                                "        return term != null\n")
                        .foundBy("LEASES:52"),
                Mutation.of("an empty list after a deletion hides no term")
                        .in(
                                "LeaseObservation",
                                "return terms.recordSeen() ? missed(now, observer) : this;",
                                "return lease != null ? missed(now, observer) : this;")
                        .exploredIn("UNSEEN_DELETIONS")
                        .foundBy(),
                Mutation.of("a term begins by the answer to a creation")
                        .in(
                                "LockMachine",
                                "&& s.observation.terms().recordSeen();",
                                "&& s.observation.terms().present().isNegative();")
                        .exploredIn("UNSEEN_DELETIONS")
                        .foundBy(),
                Mutation.of("a leader whose record is edited again and again leads on")
                        .in("LockMachine", "own = s.edited ? null : own;", "")
                        .inTest(
                                "io.cle.lock.internal.LockOwnRecordTest",
                                "aLeaderWhoseRecordIsEditedAgainEndsItsTermAndIsACandidateAgain")
                        .foundBy(),
                Mutation.of("a twin's term passes for one's own")
                        .in(
                                "LockMachine",
                                "                        .writtenBy(s.nonce)\n                && !ofCopy(lease.term());",
                                "                        .holder() != null;")
                        .foundBy("LEASES:9"),
                Mutation.of("a copy's writes pass for one's own")
                        .in(
                                "LockMachine",
                                "return write != null && !s.hasWritten(write);",
                                "return write != null && write.isEmpty();")
                        .exploredIn("COPIES")
                        .foundBy(),
                Mutation.of("an administrator's line ends nothing")
                        .in(
                                "Lease",
                                "        return !held()\n                && term != null\n",
                                "        return held()\n                && term != null\n")
                        .exploredIn("LONG_TERM")
                        .foundBy());
    }

    /** Mutations of shards. */
    private static List<Mutation> ofShards() {
        return List.of(
                Mutation.of("a candidate keeps all shards that it leads")
                        .in("ShardAssignment", "(!part.isLed() || (mayMove && !part.moving()))", "!part.isLed()")
                        .foundBy("SHARDED:4"),
                Mutation.of("shards move between candidates that stay")
                        .in(
                                "ShardAssignment",
                                "leader != null && able.contains(leader)",
                                "moving && able.contains(leader)")
                        .inTest("ShardsTest", "aJoinMovesNoMoreShardsThanBalanceDemands")
                        .foundBy(),
                Mutation.of("a hand-over that is under way is taken back")
                        .in("ShardAssignment", "(mayMove && !part.moving())", "mayMove")
                        .inTest("ShardsTest", "aHandOverThatIsUnderWayIsNotTakenBack")
                        .foundBy(),
                Mutation.of("shards move as soon as a replica comes")
                        .in("GroupEntry", "parts, settled)", "parts, true)")
                        .inTest("ShardsTest", "noShardMovesForTwoSecondsAfterAReplicaCame")
                        .foundBy(),
                Mutation.of("a replica that stops is given shards in place of those that it has withdrawn from")
                        .in("LeaseTable", ".ifPresent(ofLease -> ofLease.unsettle(now));", ".isPresent();")
                        .inTest("ShardsTest", "aReplicaWhoseLocksStopOneByOneIsGivenNoOtherShardMeanwhile")
                        .foundBy(),
                Mutation.of("shards are assigned to candidates that don't answer")
                        .in(
                                "GroupEntry",
                                "boolean answers = candidate.answer(now, ackTimeout) != Answer.SILENT",
                                "boolean answers = true")
                        .inTest("ShardsTest", "aKilledReplicasShardsAreSpreadOverTheOthers")
                        .foundBy(),
                Mutation.of("a leader whose candidate doesn't answer loses the shards that it renews")
                        .in("GroupEntry", "(answers || identity.equals(leader))", "answers")
                        .inTest("ShardsTest", "aReplicaThatRenewsItsShardsLeadsOnAlthoughItsCandidateDoesNotAnswer")
                        .foundBy(),
                Mutation.of("a shard is assigned to a candidate that is held off from it")
                        .in("GroupEntry", "} else if (group.equals(", "}\n            if (group.equals(")
                        .inTest("ShardsTest", "shardsThatAReplicaMayNotAcquireAreLedByTheOtherAndNoShardMovesForEver")
                        .foundBy(),
                Mutation.of("a replica that was held off waits for another change before it is given shards")
                        .in("GroupEntry", "heldOffUntil = Math.min(heldOffUntil, heldOff.getAsLong());", "")
                        .foundBy("SHARDED:13"),
                Mutation.of("a candidate acquires a closed lease that names it")
                        .in(
                                "LockMachine",
                                "if (s.closedUntil == NEVER || !now.reached(s.closedUntil)) {",
                                "if (false) {")
                        .inTest("KeyOwnerTest", "aClosedLeaseOfWhichAnEarlierCopyIsPutBackIsNotLed")
                        .foundBy(),
                Mutation.of("a candidate races for a lease beside the shards that own its key")
                        .in("LeaseLock", "return ok.value().isEmpty()", "return true")
                        .inTest(
                                "KeyOwnerTest",
                                "aReplicaThatJoinsAfterTheLeaseNamedLikeTheKeyWasDeletedDoesNotRaceBesideTheShards")
                        .foundBy(),
                Mutation.of("a copy that is put back opens a closed lease")
                        .in(
                                "LockMachine",
                                "else if (former != null && (lease.ends(",
                                "else if (former != null || (lease.ends(")
                        .inTest(
                                "KeyOwnerTest",
                                "anEarlierGrantThatIsPutBackOverAClosedShardBeginsNoTermThoughNoCoordinatorClosesItAgain")
                        .foundBy(),
                Mutation.of("a family that holds a lease doesn't keep the others out")
                        .in("KeyOwnership", "if (!held.isEmpty()) {", "if (held.size() > 1) {")
                        .inTest(
                                "io.cle.election.internal.shards.KeyOwnershipTest",
                                "theOwnerThatHoldsALeaseKeepsTheKey")
                        .foundBy(),
                Mutation.of("leases of other families are not closed")
                        .in("KeyOwnership", ": !closed && belongs(present);", ": false;")
                        .inTest("KeyOwnerTest", "aClosedLeaseThatIsEditedIsNotLedBesideTheShardsThatOwnTheKey")
                        .foundBy(),
                Mutation.of("a closed lease into which a candidate is written stays as it is")
                        .in("KeyOwnership", "(edited || close)", "close")
                        .inTest(
                                "KeyOwnerTest",
                                "aClosedLeaseOfTheOwnersIntoWhichACandidateIsWrittenIsClosedAgainAndLed")
                        .foundBy("SHARDED:2"),
                Mutation.of("a lease that an earlier version has closed stays as it is")
                        .in(
                                "KeyOwnership",
                                "present.closed() && String.valueOf(named.resourceVersion()).equals(present.retiredBy());",
                                "present.closed();")
                        .inTest(
                                "io.cle.election.internal.shards.KeyOwnershipTest",
                                "leasesOfOtherFamiliesAreClosedEachOnce")
                        .foundBy(),
                Mutation.of("the lease that is named like the key is written last")
                        .in("KeyOwnership", "!name.equals(named.owner()) || ", "")
                        .inTest(
                                "io.cle.election.internal.shards.KeyOwnershipTest",
                                "allShardsAreClosedBeforeTheLeaseWithoutShardsIsGranted")
                        .foundBy(),
                Mutation.of("what a coordinator knows of a key's owner isn't doubted")
                        .in(
                                "LeaseTable",
                                "return ofOwner ? lease.closed() || !contiguous : named || !lease.closed();",
                                "return ofOwner && lease.closed();")
                        .inTest("KeyOwnerTest", "aClosedLeaseThatIsEditedIsNotLedBesideTheShardsThatOwnTheKey")
                        .foundBy(),
                Mutation.of("leases of a key's former owner are granted while the owner is determined again")
                        .in("KeyCheck", "        key.doubt();\n        return list", "        return list")
                        .inTest(
                                "KeyOwnerTest",
                                "aLeaseThatWasJustClosedForAnotherFamilyIsNotGrantedToACandidateOfItsOwn")
                        .foundBy("SHARDED:401483"),
                Mutation.of("the lease of another application that is called like a shard is closed")
                        .in("KeyOwnership", " && !others.contains(lease)) {", ") {")
                        .in("KeyOwnership", ": !closed && belongs(present);", ": !closed;")
                        .inTest("KeyOwnerTest", "anotherApplicationsLeaseThatIsCalledLikeAShardDelaysNobody")
                        .foundBy(),
                Mutation.of("another elector can acquire a closed lease")
                        .in("LeaseJson", "lease.holder() == null ? lease.owner() : lease.holder();", "lease.holder();")
                        .inTest("KeyOwnerTest", "anotherElectorSeesALeaseThatIsHeldForAsLongAsShardsOwnItsKey")
                        .foundBy(),
                Mutation.of("a lease that is being handed over is counted for its present holder")
                        .in("GroupEntry", "given ? successor : holder,", "holder,")
                        .inTest("ShardsTest", "aHandOverThatIsUnderWayIsNotTakenBack")
                        .foundBy(),
                Mutation.of("a shard whose grant is under way doesn't count when other shards are assigned")
                        .in("GroupEntry", "record.successor() == null ? preferred : record.successor();", "preferred;")
                        .inTest("ShardsTest", "shardsWhoseGrantIsUnderWayCountWhenOthersAreAssigned")
                        .foundBy(),
                Mutation.of("a lease that has lost its label passes for deleted")
                        .in(
                                "GroupLeases",
                                "            readAfterGap(removed.key());",
                                "            tell(removed.key(), event);")
                        .inTest("ShardsTest", "aLeaseThatHasLostItsLabelIsLedOnAndLabelledAgain")
                        .foundBy(),
                Mutation.of("a lease that a watch by label had lost returns as its next event")
                        .in(
                                "GroupLeases",
                                "tell(lease.key(), lost ? snapshot(lease.key()) : event);",
                                "tell(lease.key(), event);")
                        .inTest(
                                "GroupsTest",
                                "aLeaseThatComesBackToItsGroupIsNotLedBesideALeaderWhoseRenewalsTheGroupHasNotSeen")
                        .foundBy(),
                Mutation.of("a candidate of a renamed group doesn't see a lease while it has the other name")
                        .in(
                                "GroupLeases",
                                ": WatchedKind.labelled(leases.codec, WireNames.GROUP);",
                                ": WatchedKind.labelled(leases.codec, WireNames.GROUP, group.label());")
                        .foundBy("RENAMED:205"),
                Mutation.of("each ping postpones the read of the lease")
                        .in(
                                "LockMachine",
                                "s.readAt = s.readAt == NEVER ? now.plus(SHOWS_WITHIN) : s.readAt;",
                                "s.readAt = now.plus(SHOWS_WITHIN);")
                        .inTest(
                                "GroupsTest",
                                "aGrantThatTheGroupsWatchDoesNotShowIsReadWithinSecondsHoweverOftenTheCandidateIsPinged")
                        .foundBy(),
                Mutation.of("candidates race for a lease of a group")
                        .in("LockMachine", "if (config.group() != null) {", "if (false) {")
                        .inTest("GroupsTest", "replicasDoNotRaceForALeaseOfAGroupWhicheverStrategyAnAdministratorSets")
                        .foundBy(),
                Mutation.of("a candidate of the same name that announces something else is renewed")
                        .in(
                                "CandidacyMachine",
                                "if (stored != null && !stored.lease().equals(candidacy.template().lease())) {",
                                "if (false) {")
                        .inTest("KeyOwnerTest", "aProcessOfTheSameNameThatAsksForAnotherNumberReplacesItsCandidate")
                        .foundBy(),
                Mutation.of("a lease that is led without shards is closed")
                        .in(
                                "LeaseReconciler",
                                "boolean plainLeads = owner == KeyOwnership.PLAIN && held.contains(owner) && isWatched;",
                                "boolean plainLeads = false;")
                        .in(
                                "KeyCheck",
                                "if (owner == KeyOwnership.NOBODY || (owner == KeyOwnership.PLAIN && held.contains(owner))) {",
                                "if (owner == KeyOwnership.NOBODY) {")
                        .inTest("KeyOwnerTest", "whileALeaseIsLedWithoutShardsNothingIsWrittenForTheShardsThatWait")
                        .foundBy(),
                Mutation.of("the answer to a coordinator's creation passes for the next event")
                        .in(
                                "LeaseReconciler",
                                "record.seen(ok.value(), clock.now(), contiguous);",
                                "record.seen(ok.value(), clock.now(), true);")
                        .inTest("LeaseReconcilerTest", "afterTheAnswerToACreationAnUnseenTermMayRunForALeaseDuration")
                        .foundBy(),
                Mutation.of("a shard is released before its withdrawal is stored")
                        .in(
                                "LeaseLock",
                                "if (candidacy == null || !candidacy.withdrawing()) {",
                                "if (candidacy == null || candidacy.withdrawing() || !candidacy.withdrawing()) {")
                        .inTest("ShardsTest", "aResignedShardIsReleasedOnlyOnceItsWithdrawalIsStored")
                        .foundBy(),
                Mutation.of("the shards that a candidate has withdrawn from are not announced")
                        .in(
                                "GroupCandidacy",
                                "candidacy.announceLeases(Set.copyOf(joined));",
                                "candidacy.announceLeases(Set.copyOf(shares.keySet()));")
                        .inTest("ShardsTest", "aResignedShardIsReleasedOnlyOnceItsWithdrawalIsStored")
                        .foundBy(),
                Mutation.of("a shard whose withdrawal is announced passes for a candidate's")
                        .in(
                                "GroupCandidacy",
                                "return candidate == null || !candidate.canLead(lease) ? null : candidate;",
                                "return candidate;")
                        .inTest("ShardsTest", "aResignedShardIsReleasedOnlyOnceItsWithdrawalIsStored")
                        .foundBy());
    }
}
